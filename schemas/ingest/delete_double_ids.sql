delete from ingest.events as log
using double_ids as double
where log.tenant = double.tenant and log.event_id = double.event_id
  and (log.batch, log.ordinal) <> (double.first_batch, double.first_ordinal)
