select source_id, title, dated
from structured.sources
where tenant = $tenant
  and source_id in (select unnest($sources::varchar[]))
order by source_id
