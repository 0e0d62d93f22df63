-- What was asked in each search of a day: the message as the retrieval has it, else as the turn does, else what was searched;
-- all of them, or those behind a search that was read before.
with turn as (
  select environment, tenant, turn_id, message, language
  from canonical.turns
  anti join reference.turns_again($day - 1, $day + 1) as again using (tenant, event_id)
  where day between $day - 1 and $day + 1
)
select environment, tenant, event_id::varchar as event_id, occurred_at, coalesce(search.message, turn.message, searched_query) as message,
  turn.language
from canonical.retrievals as search
left join turn using (environment, tenant, turn_id)
where day = $day and outcome = 'searched' and list_contains($environments, environment)
  and ($after_event_id is null or (search.event_id, environment, tenant) > ($after_event_id::uuid, $after_environment, $after_tenant))
order by search.event_id, environment, tenant
