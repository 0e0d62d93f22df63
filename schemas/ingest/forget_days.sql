delete from ingest.batch_days
