select
  (select coalesce(list(conversation_id), []) from erasing_conversations),
  (select coalesce(list(event_id::varchar), []) from erasing_events),
  (select coalesce(list(retrieval_id), []) from erasing_retrievals),
  (select coalesce(list(turn_id), []) from erasing_turns)
