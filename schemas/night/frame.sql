-- The frame of a day: every retrieval that searched and found something. Skipped, failed and empty ones are counted elsewhere.
-- It holds what the draw needs; what else is known of the few that are drawn is looked up when they are stored.
create or replace temp table frame as
with searched as (
  select environment, tenant, retrieval_id, event_id, turn_id, coalesce(resolution, 'as_typed') = 'as_typed' as is_as_typed
  from canonical.retrievals
  anti join reference.retrievals_again($day, $day) as again using (tenant, event_id)
  where day = $day and outcome = 'searched' and passage_count > 0 and list_contains($environments, environment)
),
kinds as (
  select tenant, event_id, bit_or(case kind when 'conversation' then 1 when 'document' then 2 else 4 end::utinyint) as kinds
  from canonical.passages
  where day = $day
  group by tenant, event_id
),
turn as (
  select environment, tenant, turn_id, turn_index
  from canonical.turns
  anti join reference.turns_again($day - 1, $day + 1) as again using (tenant, event_id)
  where day between $day - 1 and $day + 1
)
select environment, tenant, retrieval_id, event_id, turn.turn_index,
  case kinds when 1 then 'conversation' when 2 then 'document' when 4 then 'graph' else 'mixed' end as kind,
  case
    when turn.turn_index is null then 'unknown'
    when turn.turn_index = 0 then 'first'
    when is_as_typed then 'later_as_typed'
    else 'combined'
  end as position,
  sha256($seed || chr(31) || tenant || chr(31) || retrieval_id) as draw
from searched
join kinds using (tenant, event_id)
left join turn using (environment, tenant, turn_id)
