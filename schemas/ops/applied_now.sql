insert or ignore into ops.migrations (name) values ($name)
