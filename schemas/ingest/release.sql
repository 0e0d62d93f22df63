update ingest.quarantine set released_by = (select max(batch) from ingest.batches) where id in (select id from batch_released)
