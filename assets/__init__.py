"""What is scheduled: Dagster assets of a few lines each."""
