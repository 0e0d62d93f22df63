-- What the judge needs to know of each drawn retrieval, with the conversation up to its turn.
select sample.environment, sample.tenant, sample.retrieval_id, sample.kind, sample.position,
  retrieval.searched_query,
  coalesce(retrieval.message, turn.message, '') as message,
  coalesce(earlier.conversation, []) as conversation,
  passage.passages
from night.sample as sample
join (
  from canonical.retrievals where day = $day and event_id in (select event_id from night.sample where day = $day)
) as retrieval using (tenant, event_id)
join (
  select tenant, event_id,
    list({'rank': ordinal, 'passage_id': passage_id, 'kind': kind, 'text': text, 'title': title, 'source_date': source_date}
      order by ordinal) as passages
  from canonical.passages
  where day = $day and event_id in (select event_id from night.sample where day = $day)
  group by tenant, event_id
) as passage using (tenant, event_id)
left join (
  select environment, tenant, turn_id, reference.of_first(message, occurred_at, event_id) as message
  from canonical.turns
  where day between $day - 1 and $day + 1 and turn_id in (select turn_id from night.sample where day = $day)
  group by all
) as turn on turn.environment = sample.environment and turn.tenant = sample.tenant and turn.turn_id = sample.turn_id
left join (
  select drawn.environment, drawn.tenant, drawn.retrieval_id,
    list({'message': before.message, 'answer': before.answer} order by before.turn_index, before.event_id)[-$turns:] as conversation
  from (from night.sample where day = $day) as drawn
  join (
    from canonical.turns
    where day between $day - reference.days_back() and $day and conversation_id in (select conversation_id from night.sample where day = $day)
    qualify row_number() over (partition by environment, tenant, turn_id order by occurred_at, event_id) = 1
  ) as before
    on before.environment = drawn.environment and before.tenant = drawn.tenant
    and before.conversation_id = drawn.conversation_id and before.turn_index < drawn.turn_index
  group by all
) as earlier
  on earlier.environment = sample.environment and earlier.tenant = sample.tenant and earlier.retrieval_id = sample.retrieval_id
where sample.day = $day
order by sample.environment, sample.tenant, sample.kind, sample.position, sample.u, sample.retrieval_id
