-- Judged retrievals that are alike, by stratum: how many passages were judged and how many of them irrelevant to the need.
with retrieval as (
  select sample.day, sample.environment, sample.tenant, sample.kind, sample.position, sample.retrieval_id,
    count(*) as judged,
    count(*) filter (graded.need_grade = 0) as irrelevant,
    count(*) filter (graded.need_grade = 0 and graded.query_grade > 0) as query_faults,
    count(*) filter (graded.need_grade = 0 and graded.query_grade = 0) as retriever_faults
  from night.sample as sample
  join night.verdicts as verdict using (tenant, verdict_key)
  join night.passage_verdicts as graded using (tenant, verdict_key)
  where graded.status = 'judged' and verdict.needs_retrieval is distinct from false
  group by all
)
select retrieval.day, environment, tenant, kind, position, judged, irrelevant, count(*) as count,
  sum(query_faults)::bigint as query_faults, sum(retriever_faults)::bigint as retriever_faults
from retrieval
group by all
order by all
