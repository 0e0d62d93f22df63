-- The retrievals to read first of an alert, as they were published.
select distinct on (tenant, retrieval_id) day, tenant || '/' || retrieval_id as retrieval, irrelevant, judged, fault, searched_query
from marts.worst_retrievals
where list_contains($worst, tenant || '/' || retrieval_id) and environment = $environment and $tenant in ('*', tenant)
  and day between $last_day::date - 6 and $last_day
order by tenant, retrieval_id, day desc
