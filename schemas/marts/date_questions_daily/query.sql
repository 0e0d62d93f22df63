with search as (
  select day, environment, tenant, event_id, conversation_id, passage_count, pins,
    case when window_start is not null or window_end is not null then 'window' when names = 'window' then 'unused' else names end as question
  from canonical.retrievals
  anti join reference.retrievals_again($first_day, $last_day) as again using (tenant, event_id)
  join night.dated_questions using (day, environment, tenant, event_id)
  where day between $first_day and $last_day
),
-- how many: a share of searches, which come in conversations
part as (
  select environment, tenant, hash(conversation_id) as conversation, question, count(*) as y,
    count(*) filter (passage_count = 0) as empty, count(*) filter (len(pins) > 0) as pinned
  from search
  group by all
),
size as (
  select environment, tenant, conversation, sum(y) as m from part group by all
),
total as (
  select environment, scope.tenant, sum(m)::bigint as total, count(*) as clusters, sum(m * m)::double as m_squared
  from size, lateral (values (size.tenant), ('*')) as scope (tenant)
  group by all
),
counted as (
  select environment, scope.tenant, question, sum(y)::bigint as searches, sum(empty)::bigint as empty, sum(pinned)::bigint as pinned,
    sum(y * y)::double as y_squared, sum(y * m)::double as y_m
  from part
  join size using (environment, tenant, conversation),
  lateral (values (part.tenant), ('*')) as scope (tenant)
  group by all
),
shared as (
  select environment, tenant, question, searches, total, searches / total as share, empty, pinned, reference.t_of(clusters - 1) as t,
    reference.cluster_effective(
      searches / total, reference.cluster_variance(searches / total, clusters, y_squared, y_m, m_squared, total), clusters, total
    ) as k
  from counted
  join total using (environment, tenant)
),
-- how good: the sample, weighted as in relevance_daily
drawn as (
  select sample.day, sample.environment, sample.tenant, sample.retrieval_id, sample.event_id, sample.kind, sample.position, sample.verdict_key,
    question
  from night.sample as sample
  join search using (day, environment, tenant, event_id)
  where sample.day between $first_day and $last_day
),
returned as (
  select day, tenant, event_id, ordinal
  from canonical.passages
  where day between $first_day and $last_day and (tenant, event_id) in (select tenant, event_id from drawn)
),
judged as (
  select drawn.day, drawn.environment, drawn.tenant, drawn.kind, drawn.position, question, retrieval_id,
    count(*) filter (graded.status = 'judged') as m,
    count(*) filter (graded.status = 'judged' and graded.need_grade = 0) as y,
    count(*) filter (graded.status is distinct from 'judged') as missing,
    count(*) filter (graded.status is distinct from 'judged' and coalesce(not verdict.is_final, true)) as pending
  from drawn
  join returned using (day, tenant, event_id)
  left join night.verdicts as verdict on verdict.tenant = drawn.tenant and verdict.verdict_key = drawn.verdict_key
  left join night.passage_verdicts as graded
    on graded.tenant = drawn.tenant and graded.verdict_key = drawn.verdict_key and graded.ordinal = returned.ordinal
  where verdict.needs_retrieval is distinct from false
  group by all
),
cell as (
  select judged.day, environment, scope.tenant, judged.tenant as owner, kind, position, question,
    any_value(frame_size)::double as stratum, any_value(sample_size)::double as drawn, any_value(frame_size / sample_size) as weight,
    count(*) filter (m > 0) as retrievals, sum(m) as m, sum(y) as y, sum(m * m) as mm, sum(y * m) as ym, sum(y * y) as yy,
    sum(missing) as missing, sum(pending) as pending
  from judged
  join night.strata as strata using (day, environment, tenant, kind, position),
  lateral (values (judged.tenant), ('*')) as scope (tenant)
  group by all
),
ratio as (
  select environment, tenant, question, sum(m)::bigint as passages, sum(pending)::bigint as pending,
    sum(weight * m) as weighted_passages, sum(weight * missing) as weighted_missing,
    sum(weight * y) / nullif(sum(weight * m), 0) as rate,
    reference.rate_variance(
      sum(weight * y) / nullif(sum(weight * m), 0),
      sum(reference.rate_spread(stratum, drawn, yy, y, y)),
      sum(reference.rate_spread(stratum, drawn, ym, y, m)),
      sum(reference.rate_spread(stratum, drawn, mm, m, m)),
      sum(weight * m)
    ) as variance,
    reference.rate_degrees(sum(retrievals), count_if(retrievals > 1), count_if(retrievals = 1)) as degrees
  from cell
  group by all
),
effective as (
  select *, reference.rate_effective(rate, variance, passages) as n, reference.t_of(degrees) as t from ratio
)
select $last_day as day, environment, tenant, question, searches, total, round(share, 9) as share,
  round(reference.wilson_low(share, shared.k, shared.t), 9) as share_low, round(reference.wilson_high(share, shared.k, shared.t), 9) as share_high,
  empty, pinned, coalesce(passages, 0) as passages,
  if(pending > 0, null, round(rate, 9)) as rate,
  if(pending > 0, null, round(reference.wilson_low(rate, n, effective.t), 9)) as low,
  if(pending > 0, null, round(reference.wilson_high(rate, n, effective.t), 9)) as high,
  round(weighted_passages / nullif(weighted_passages + weighted_missing, 0), 9) as coverage,
  coalesce(pending, 0) as pending, '1' as metric_version
from shared
left join effective using (environment, tenant, question)
order by all
