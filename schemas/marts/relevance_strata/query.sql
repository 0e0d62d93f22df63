with drawn as (
  select sample.*, night.judge, night.model, night.rubric_version
  from night.sample as sample
  join night.nights as night using (day)
  where sample.day between $first_day and $last_day
),
returned as (
  -- the few that were drawn, before anything is joined to a whole day of passages
  select day, tenant, event_id, ordinal, kind
  from canonical.passages
  where day between $first_day and $last_day and event_id in (select event_id from drawn)
),
passage as (
  select drawn.day, drawn.environment, drawn.tenant, drawn.retrieval_id, drawn.kind, drawn.position, drawn.resolution,
    drawn.judge, drawn.model, drawn.rubric_version,
    returned.kind as passage_kind,
    verdict.status as retrieval_status,
    coalesce(graded.status = 'judged' and verdict.needs_retrieval is distinct from false, false) as is_judged,
    coalesce(not verdict.is_final, true) as is_pending,
    verdict.needs_retrieval is not distinct from false as needs_nothing,
    graded.query_grade = 0 as irrelevant_query,
    graded.need_grade = 0 as irrelevant_need
  from drawn
  join returned
    on returned.day = drawn.day and returned.tenant = drawn.tenant and returned.event_id = drawn.event_id
  left join night.verdicts as verdict on verdict.tenant = drawn.tenant and verdict.verdict_key = drawn.verdict_key
  left join night.passage_verdicts as graded
    on graded.tenant = drawn.tenant and graded.verdict_key = drawn.verdict_key and graded.ordinal = returned.ordinal
),
sliced as (
  select passage.*, pick.slice, pick.value, what.measure, coalesce(is_judged and what.hit, false) as is_hit
  from passage,
  lateral (
    values ('all', 'all'), ('kind', passage_kind), ('resolution', resolution),
      ('turn', case position when 'first' then 'first' when 'unknown' then 'unknown' else 'later' end)
  ) as pick (slice, value),
  lateral (
    values ('irrelevant_query', irrelevant_query), ('irrelevant_need', irrelevant_need),
      ('fault_ok', not irrelevant_query and not irrelevant_need), ('fault_query', not irrelevant_query and irrelevant_need),
      ('fault_retriever', irrelevant_query and irrelevant_need), ('fault_lucky', irrelevant_query and not irrelevant_need)
  ) as what (measure, hit)
  where not needs_nothing
),
retrieval as (
  select day, environment, tenant, kind, position, slice, value, measure, retrieval_id,
    any_value(judge) as judge, any_value(model) as model, any_value(rubric_version) as rubric_version,
    count(*) filter (is_judged) as passages,
    count(*) filter (is_hit) as hits,
    count(*) filter (not is_judged) as missing,
    count(*) filter (not is_judged and is_pending) as pending
  from sliced
  group by all
)
select retrieval.day, retrieval.environment, retrieval.tenant, retrieval.kind, retrieval.position, slice, value, measure,
  any_value(strata.frame_size) as frame_size,
  any_value(strata.sample_size) as sample_size,
  count(*) filter (passages > 0) as retrievals,
  sum(passages)::bigint as passages,
  sum(hits)::bigint as hits,
  sum(passages * passages)::bigint as passages_squared,
  sum(hits * hits)::bigint as hits_squared,
  sum(hits * passages)::bigint as hits_passages,
  sum(missing)::bigint as missing,
  sum(pending)::bigint as pending,
  any_value(judge) as judge,
  any_value(model) as model,
  any_value(rubric_version) as rubric_version
from retrieval
join night.strata as strata using (day, environment, tenant, kind, position)
group by all
order by all
