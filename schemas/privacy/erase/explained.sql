-- Whether bytes that were found may stand for something that stays: another id that contains them, or words that others used too.
select
  exists (
    from canonical.turns
    where contains(message, $text) or contains(answer, $text) or contains(conversation_id, $text) or contains(visitor_id, $text)
      or contains(turn_id, $text)
  )
  or exists (
    from canonical.retrievals
    where contains(searched_query, $text) or contains(message, $text) or contains(retrieval_id, $text)
      or contains(conversation_id, $text) or contains(visitor_id, $text)
  )
  or exists (from canonical.passages where contains("text", $text) or contains(passage_id, $text) or contains(source_id, $text))
  or exists (from canonical.page_views where contains(visitor_id, $text) or contains(conversation_id, $text))
  or exists (from canonical.interactions where contains(visitor_id, $text) or contains(conversation_id, $text))
