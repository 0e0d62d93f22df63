select item_id, item_type, text, starts_at, source_id
from (
  select item_id, item_type, text, starts_at, source_id
  from structured.items
  where tenant = $tenant
    and status <> 'rejected'
    and starts_at is not null
    and ($end::timestamptz is null or starts_at < $end::timestamptz)
    and ($start::timestamptz is null or starts_at >= $start::timestamptz or ends_at > $start::timestamptz)
  order by abs(epoch(starts_at) - epoch($near::timestamptz)), item_id
  limit $limit
)
order by starts_at, item_id
