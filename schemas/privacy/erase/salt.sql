insert or ignore into ops.settings (name, value) values ('erasure_salt', $salt)
