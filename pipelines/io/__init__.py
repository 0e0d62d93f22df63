"""The only doors: the broker, the spool, files, the warehouse, models, webhooks and the clock."""
