-- The turns of whole conversations that have a turn in the days wanted; `wanted` says which turns may be drawn.
-- A turn that was stored twice under two ids counts once, as it came first.
with chosen as (
  select distinct environment, tenant, conversation_id
  from canonical.turns
  where day between $first_day and $last_day
    and environment in (select unnest($environments::varchar[]))
    and (tenant = $tenant or $tenant is null)
)
select
  turns.tenant,
  turns.conversation_id,
  turns.turn_index,
  turns.message,
  turns.answer,
  turns.language,
  turns.gate_decision,
  (
    select reference.of_first(retrievals.resolution, retrievals.occurred_at, retrievals.event_id)
    from canonical.retrievals
    where retrievals.tenant = turns.tenant
      and retrievals.environment = turns.environment
      and retrievals.turn_id = turns.turn_id
      and retrievals.day between $first_day and $last_day
  ) as resolution,
  turns.day between $first_day and $last_day as wanted
from canonical.turns
semi join chosen
  on chosen.tenant = turns.tenant
  and chosen.environment = turns.environment
  and chosen.conversation_id = turns.conversation_id
where turns.day <= $last_day
qualify row_number() over (
  partition by turns.environment, turns.tenant, turns.conversation_id, turns.turn_index
  order by turns.occurred_at, turns.event_id
) = 1
order by turns.environment, turns.tenant, turns.conversation_id, turns.turn_index
