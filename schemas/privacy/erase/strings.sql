-- What to look for afterwards: ids first, then what the visitor wrote and was answered, the longest first.
select conversation_id as "text", true as is_id from erasing_conversations
union all
select retrieval_id, true from erasing_retrievals
union all
(
  select distinct "text", false
  from (
    select message as "text" from canonical.turns where tenant = $tenant and event_id in (select event_id from erasing_events)
    union all
    select answer from canonical.turns where tenant = $tenant and event_id in (select event_id from erasing_events)
  )
  where length("text") >= 24
  order by length("text") desc, "text"
  limit 200
)
