select id, reason, path, message, partition, "offset", octet_length(raw) as bytes, quarantined_at
from ingest.quarantine
where released_by is null and (reason = $reason or $reason is null)
order by id desc
limit $limit
