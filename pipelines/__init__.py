"""What is done. No Dagster here."""
