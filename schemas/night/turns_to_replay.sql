-- The turns of a day, and those of the week before it in their conversations, each conversation in order; all of them, or
-- those behind a turn that was read before. Where a tenant is not replayed whole, its conversations up to the reach.
with touched as (
  -- each once: to join them is the same as a semi join, for which DuckDB would keep the texts of all turns in memory
  select distinct environment, tenant, conversation_id from canonical.turns
  left join night.replays as replays using (day, environment, tenant)
  where day = $day and list_contains($environments, environment)
    and (replays.reach is null or reference.replay_draw(tenant, conversation_id) <= replays.reach)
)
select day = $day as is_asked, environment, tenant, conversation_id, event_id::varchar as event_id, turn_id, turn_index, occurred_at, message, answer,
  language
from canonical.turns
join touched using (environment, tenant, conversation_id)
anti join reference.turns_again($day - reference.days_back(), $day) as again using (tenant, event_id)
where day between $day - reference.days_back() and $day and (
  $after_event_id is null
  or (environment, tenant, conversation_id, turn_index, occurred_at, canonical.turns.event_id)
    > ($after_environment, $after_tenant, $after_conversation_id, $after_turn_index, $after_occurred_at, $after_event_id::uuid)
)
order by environment, tenant, conversation_id, turn_index, occurred_at, canonical.turns.event_id
