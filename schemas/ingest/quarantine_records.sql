select id, partition, "offset", raw
from ingest.quarantine
where released_by is null and (reason = $reason or $reason is null)
order by id
