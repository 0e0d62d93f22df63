update ingest.batches as ledger
set stored = ledger.stored - moved.events, conflicts = ledger.conflicts + moved.events
from (
  select log.batch, count(*) as events
  from ingest.events as log
  join double_ids as double using (tenant, event_id)
  where (log.batch, log.ordinal) <> (double.first_batch, double.first_ordinal)
  group by log.batch
) as moved
where ledger.batch = moved.batch
