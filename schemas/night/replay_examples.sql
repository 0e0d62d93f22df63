-- A few turns for each thing that the replayed gate would do, picked by a hash of the event's id, with the earlier message they are combined with.
with turn as (
  select turns.*, replay.combined_with as begins_with, if(decision = 'skip', would_be_reason, replay.reason) as rule,
    case
      when decision = 'follow_up' and replay.combined_with is not null then 'eligible'
      when decision in ('correction', 'no_need') then decision
      when decision = 'skip' and would_be = 'follow_up' then 'skipped'
    end as shows
  from canonical.turns as turns
  join night.replayed_decisions as replay using (day, environment, tenant, event_id)
  where turns.day between $first_day and $last_day and (turns.tenant = $tenant or $tenant is null)
),
picked as (
  from turn
  where shows is not null
  qualify row_number() over (partition by shows order by md5(event_id::varchar)) <= $at_most
)
select shows, tenant, rule,
  (
    select reference.of_first(earlier.message, earlier.occurred_at, earlier.event_id) from canonical.turns as earlier
    where earlier.environment = picked.environment and earlier.tenant = picked.tenant
      and earlier.conversation_id = picked.conversation_id and earlier.turn_id = picked.begins_with
  ) as before, message
from picked
order by shows, md5(event_id::varchar)
