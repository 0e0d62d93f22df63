select coalesce(max(batch), 0) from ingest.batches
