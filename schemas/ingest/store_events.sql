insert into ingest.events by name
select incoming.* exclude (place), $batch as batch, place as ordinal
from batch_events as incoming
where place in (select place from batch_fates where fate = 'new')
