-- The days of which something of the visitor was drawn: what was summed of them is summed again.
select distinct day
from night.sample
where tenant = $tenant
  and (event_id in (select event_id from erasing_events) or retrieval_id in (select retrieval_id from erasing_retrievals)
    or turn_id in (select turn_id from erasing_turns) or visitor_id = (select visitor from erasing_whom)
    or conversation_id in (select conversation_id from erasing_conversations))
