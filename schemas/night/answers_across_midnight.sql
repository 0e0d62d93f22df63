-- The answers of the days beside it that searches drawn of this day belong to, so that a night is complete by itself, whichever others ran.
select environment, turns.tenant, turns.event_id::varchar as event_id, turns.language, turns.answer
from canonical.turns as turns
semi join (from night.sample where day = $day) as drawn using (environment, tenant, turn_id)
anti join reference.turns_again($day - 1, $day + 1) as again using (tenant, event_id)
where turns.day between $day - 1 and $day + 1 and turns.day <> $day and answer is not null and list_contains($environments, environment)
