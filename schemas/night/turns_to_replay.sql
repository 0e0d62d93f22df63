-- The turns of a day, and those of the week before it in their conversations, each conversation in order.
with touched as (
  select distinct environment, tenant, conversation_id from canonical.turns
  where day = $day and list_contains($environments, environment)
)
select day = $day as is_asked, environment, tenant, conversation_id, event_id::varchar as event_id, turn_id, message, answer, language
from canonical.turns
semi join touched using (environment, tenant, conversation_id)
anti join reference.turns_again($day - reference.days_back(), $day) as again using (tenant, event_id)
where day between $day - reference.days_back() and $day
order by environment, tenant, conversation_id, turn_index, occurred_at, event_id
