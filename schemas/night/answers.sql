select environment, tenant, event_id::varchar as event_id, language, answer
from canonical.turns
anti join reference.turns_again($day, $day) as again using (tenant, event_id)
where day = $day and answer is not null and list_contains($environments, environment)
