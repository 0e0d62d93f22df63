select log.batch, log.ordinal, log.raw
from ingest.events as log
join double_ids as double using (tenant, event_id)
order by log.batch, log.ordinal
