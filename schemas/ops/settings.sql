select name, value from ops.settings
