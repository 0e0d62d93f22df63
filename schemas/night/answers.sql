select environment, tenant, event_id::varchar as event_id, language, answer
from canonical.turns
where day = $day and answer is not null and list_contains($environments, environment)
