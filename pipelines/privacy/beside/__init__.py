"""What lies beside the warehouse: harvested sets, caches, logs of runs."""
