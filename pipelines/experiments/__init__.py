"""Which query strategy retrieves better, proven or not."""
