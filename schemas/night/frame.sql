-- The frame of a day: every retrieval that searched and found something. Skipped, failed and empty ones are counted elsewhere.
-- It holds what the draw needs; what else is known of the few that are drawn is looked up when they are stored.
create or replace temp table frame as
with searched as (
  select environment, tenant, retrieval_id, event_id, turn_id, occurred_at, coalesce(resolution, 'as_typed') = 'as_typed' as is_as_typed
  from canonical.retrievals
  where day = $day and outcome = 'searched' and passage_count > 0 and list_contains($environments, environment)
),
again as (
  -- a retrieval that was reported twice counts once; these are few, so only they are put in order
  select tenant, event_id
  from searched
  semi join (select environment, tenant, retrieval_id from searched group by all having count(*) > 1) as doubled
    using (environment, tenant, retrieval_id)
  qualify row_number() over (partition by environment, tenant, retrieval_id order by occurred_at, event_id) > 1
),
kinds as (
  select tenant, event_id, bit_or(case kind when 'conversation' then 1 when 'document' then 2 else 4 end::utinyint) as kinds
  from canonical.passages
  where day = $day
  group by tenant, event_id
),
turn as (
  select environment, tenant, turn_id, min(turn_index) as turn_index
  from canonical.turns
  where day between $day - 1 and $day + 1
  group by environment, tenant, turn_id
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
anti join again using (tenant, event_id)
join kinds using (tenant, event_id)
left join turn using (environment, tenant, turn_id)
