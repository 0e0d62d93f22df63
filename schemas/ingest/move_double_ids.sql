insert into ingest.conflicts by name
select log.tenant, log.event_id, log.day, log.visitor_id, log.digest, log.batch, log.partition, log."offset", log.raw
from ingest.events as log
join double_ids as double using (tenant, event_id)
where (log.batch, log.ordinal) <> (double.first_batch, double.first_ordinal)
order by log.batch, log.ordinal
