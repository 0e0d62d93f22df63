-- What the visitor did, and what was done in the visitor's conversations without naming a visitor.
create or replace temp table erasing_events as
select event_id, conversation_id is null and visitor_id is null as is_nameless, occurred_at
from ingest.events
where tenant = $tenant
  and (visitor_id = $visitor or (visitor_id is null and conversation_id in (select conversation_id from erasing_conversations)))
