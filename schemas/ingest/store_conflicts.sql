insert into ingest.conflicts by name
select tenant, event_id, day, visitor_id, digest, $batch as batch, partition, "offset", raw
from batch_events
where place in (select place from batch_fates where fate = 'conflict')
order by place
