-- The frame of a day: every retrieval that searched and found something. Skipped, failed and empty ones are counted elsewhere.
create or replace temp table frame as
with retrieval as (
  select environment, tenant, retrieval_id, event_id, turn_id, conversation_id, visitor_id,
    coalesce(resolution, 'as_typed') as resolution
  from canonical.retrievals
  where day = $day and outcome = 'searched' and passage_count > 0 and list_contains($environments, environment)
  qualify row_number() over (partition by environment, tenant, retrieval_id order by occurred_at, event_id) = 1
),
kinds as (
  select tenant, event_id, if(min(kind) = max(kind), min(kind), 'mixed') as kind
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
select retrieval.*, kinds.kind, turn.turn_index,
  case
    when turn.turn_index is null then 'unknown'
    when turn.turn_index = 0 then 'first'
    when retrieval.resolution = 'as_typed' then 'later_as_typed'
    else 'combined'
  end as position,
  sha256($seed || chr(31) || tenant || chr(31) || retrieval_id) as draw
from retrieval
join kinds using (tenant, event_id)
left join turn using (environment, tenant, turn_id)
