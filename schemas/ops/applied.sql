select name from ops.migrations
