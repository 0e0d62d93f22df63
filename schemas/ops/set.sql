insert or replace into ops.settings (name, value) values ($name, $value)
