-- Judged retrievals that are alike, by leaf: how many passages were judged and how many of them are irrelevant to the need.
-- A mixed retrieval is there as a whole, and once more for the passages of each kind.
insert into alerts.leaves by name
with drawn as (
  from night.sample where day between $first_day and $last_day and day in (select day from nights_to_sum)
),
returned as (
  -- the few that were drawn, before anything is joined to whole days of passages
  select day, tenant, event_id, ordinal, kind
  from canonical.passages
  where day between $first_day and $last_day and event_id in (select event_id from drawn)
),
graded as (
  select sample.day, sample.environment, sample.tenant, sample.kind, sample.position, sample.retrieval_id, returned.kind as passage_kind,
    graded.need_grade = 0 as irrelevant, graded.query_grade = 0 as misses_query
  from drawn as sample
  join night.verdicts as verdict using (tenant, verdict_key)
  join night.passage_verdicts as graded using (tenant, verdict_key)
  join returned
    on returned.day = sample.day and returned.tenant = sample.tenant and returned.event_id = sample.event_id
    and returned.ordinal = graded.ordinal
  where graded.status = 'judged' and verdict.needs_retrieval is distinct from false
),
parts as (
  from graded
  union all by name
  select * replace ('mixed:' || passage_kind as kind) from graded where kind = 'mixed'
),
retrieval as (
  select day, environment, tenant, kind, position, retrieval_id,
    count(*) as judged,
    count_if(irrelevant) as irrelevant,
    count_if(irrelevant and not misses_query) as query_faults,
    count_if(irrelevant and misses_query) as retriever_faults
  from parts
  group by all
)
select day, environment, tenant, kind, position, judged::bigint as judged, irrelevant::bigint as irrelevant, count(*) as retrievals,
  sum(query_faults)::bigint as query_faults, sum(retriever_faults)::bigint as retriever_faults
from retrieval
group by all
order by all
