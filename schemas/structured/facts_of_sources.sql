select source_id, item_id, item_type, text, starts_at
from structured.items
where tenant = $tenant
  and status <> 'rejected'
  and source_id in (select unnest($sources::varchar[]))
order by source_id, starts_at nulls last, item_id
