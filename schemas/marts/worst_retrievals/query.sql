with returned as (
  -- the few that were drawn, before anything is joined to a whole day of passages
  select day, tenant, event_id, ordinal, passage_id, kind, title, text[:500] as text
  from canonical.passages
  where day between $first_day and $last_day
    and event_id in (select event_id from night.sample where day between $first_day and $last_day)
),
graded as (
  select sample.day, sample.environment, sample.tenant, sample.retrieval_id, sample.event_id, sample.conversation_id, sample.visitor_id,
    sample.resolution, sample.u,
    count(*) as judged,
    count(*) filter (grade.need_grade = 0) as irrelevant,
    count(*) filter (grade.need_grade = 0 and grade.query_grade > 0) as query_faults,
    list({
      'passage_id': returned.passage_id, 'kind': returned.kind, 'title': returned.title, 'text': returned.text,
      'query_grade': grade.query_grade, 'need_grade': grade.need_grade, 'evidence': grade.evidence
    } order by returned.ordinal) as passages
  from night.sample as sample
  join night.verdicts as verdict using (tenant, verdict_key)
  join night.passage_verdicts as grade using (tenant, verdict_key)
  join returned
    on returned.day = sample.day and returned.tenant = sample.tenant and returned.event_id = sample.event_id
    and returned.ordinal = grade.ordinal
  where sample.day between $first_day and $last_day and grade.status = 'judged' and verdict.needs_retrieval is distinct from false
  group by all
),
-- one that was reported on two days may have been drawn on both
once as (
  from graded qualify row_number() over (partition by environment, tenant, retrieval_id order by day, event_id) = 1
),
ranked as (
  select *, row_number() over (
    partition by environment, tenant order by irrelevant / judged desc, irrelevant desc, u, retrieval_id, day
  )::integer as place
  from once
  where irrelevant > 0
)
select $last_day as day, ranked.environment, ranked.tenant, place, ranked.retrieval_id, ranked.conversation_id, ranked.visitor_id,
  retrieval.message, retrieval.searched_query, ranked.resolution,
  if(query_faults * 2 > irrelevant, 'query', 'retriever') as fault, irrelevant, judged, passages
from ranked
join canonical.retrievals as retrieval
  on retrieval.day = ranked.day and retrieval.tenant = ranked.tenant and retrieval.event_id = ranked.event_id
where place <= 20
order by all
