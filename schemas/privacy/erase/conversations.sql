create or replace temp table erasing_conversations as
select distinct conversation_id
from ingest.events
where tenant = $tenant and visitor_id = $visitor and conversation_id is not null
