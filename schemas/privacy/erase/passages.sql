-- The ids of passages that quote the conversations, as an application gave them; an id may carry the conversation's in it.
select distinct passage_id
from canonical.passages
where tenant = $tenant and kind = 'conversation' and source_id in (select conversation_id from erasing_conversations)
order by passage_id
