-- The log does not tell which days an erasure opened again, so those stay; the events that they lost are not in the log any more.
update ingest.batch_days set events = 0 where batch in (select batch from ingest.batches where source = 'erasure');
delete from ingest.batch_days where batch not in (select batch from ingest.batches where source = 'erasure')
