select coalesce(max(batch), 0) + 1 from ingest.batches
