select environment, tenant, event_id::varchar as event_id, language, answer
from canonical.turns
where day = $day and answer is not null
  -- a turn that was reported twice is answered once
  and (tenant, event_id) in (select tenant, min(event_id) from canonical.turns where day = $day group by environment, tenant, turn_id) and list_contains($environments, environment)
