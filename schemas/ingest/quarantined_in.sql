select count(*) from ingest.quarantine where batch = $batch
