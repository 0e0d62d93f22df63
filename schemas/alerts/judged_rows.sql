-- Judged retrievals that are alike, by leaf, as they were summed.
select day, environment, tenant, kind, position, judged, irrelevant, retrievals, query_faults, retriever_faults
from alerts.leaves
order by all
