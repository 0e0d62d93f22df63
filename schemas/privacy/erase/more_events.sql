-- What belongs to the visitor's turns without naming visitor or conversation, and searches whose passages quote the conversations.
insert into erasing_events
with own_turns as (
  select turn_id from canonical.turns where tenant = $tenant and event_id in (select event_id from erasing_events)
),
more as (
  select event_id from canonical.model_calls
  where tenant = $tenant and visitor_id is null and turn_id in (select turn_id from own_turns)
  union
  select event_id from canonical.interactions
  where tenant = $tenant and visitor_id is null and turn_id in (select turn_id from own_turns)
  union
  select event_id from canonical.retrievals
  where tenant = $tenant and visitor_id is null and turn_id in (select turn_id from own_turns)
  union
  select event_id from canonical.passages
  where tenant = $tenant and kind = 'conversation' and source_id in (select conversation_id from erasing_conversations)
)
select events.event_id, true as is_nameless, events.occurred_at
from ingest.events
where events.tenant = $tenant
  and events.event_id in (select event_id from more)
  and events.event_id not in (select event_id from erasing_events)
