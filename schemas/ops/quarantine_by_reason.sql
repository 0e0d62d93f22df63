select reason, count(*) filter (released_by is null) as waiting, count(*) filter (released_by is not null) as released
from ingest.quarantine
group by reason
order by waiting desc, reason
