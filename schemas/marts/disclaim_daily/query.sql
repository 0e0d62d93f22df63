with usefulness as (
  select sample.day, sample.environment, sample.tenant, sample.turn_id, bool_or(graded.need_grade >= 2) as has_useful
  from night.sample as sample
  join night.verdicts as verdict using (tenant, verdict_key)
  join night.passage_verdicts as graded using (tenant, verdict_key)
  where sample.day between $first_day and $last_day and graded.status = 'judged' and verdict.needs_retrieval is distinct from false
  group by all
),
answer as (
  select turns.day, turns.environment, turns.tenant, turns.tenant || chr(31) || turns.conversation_id as cluster,
    if(turns.turn_index = 0, 'first', 'later') as turn, coalesce(turns.language, 'unknown') as language,
    said.disclaimed, usefulness.has_useful
  from canonical.turns as turns
  join night.disclaims as said using (day, environment, tenant, event_id)
  left join usefulness using (day, environment, tenant, turn_id)
  where turns.day between $first_day and $last_day
),
clusters as (
  select environment, scope.tenant, place.turn, speech.language, cluster, count(*) as m,
    count(*) filter (disclaimed = 'yes') as y,
    count(*) filter (disclaimed = 'partial') as partly,
    count(*) filter (disclaimed = 'yes' and has_useful) as disclaimed_with_useful,
    count(*) filter (disclaimed = 'yes' and not has_useful) as disclaimed_without_useful,
    count(*) filter (disclaimed <> 'yes' and has_useful) as answered_with_useful,
    count(*) filter (disclaimed <> 'yes' and not has_useful) as answered_without_useful
  from answer,
  lateral (values (answer.tenant), ('*')) as scope (tenant),
  lateral (values (answer.turn), ('all')) as place (turn),
  lateral (values (answer.language), ('*')) as speech (language)
  group by all
),
sums as (
  select environment, tenant, turn, language, sum(m)::bigint as answers, sum(y)::bigint as disclaimed, sum(partly)::bigint as partly,
    count(*) as clusters, sum(m * m)::double as m_squared, sum(y * y)::double as y_squared, sum(y * m)::double as y_m,
    sum(disclaimed_with_useful)::bigint as disclaimed_with_useful,
    sum(disclaimed_without_useful)::bigint as disclaimed_without_useful,
    sum(answered_with_useful)::bigint as answered_with_useful,
    sum(answered_without_useful)::bigint as answered_without_useful
  from clusters
  group by all
),
rated as (
  select *, disclaimed / answers as rate,
    clusters / nullif(clusters - 1, 0) * greatest(y_squared - 2 * (disclaimed / answers) * y_m
      + (disclaimed / answers) * (disclaimed / answers) * m_squared, 0) / (answers::double * answers) as variance
  from sums
),
effective as (
  select rated.*, reference.t_of(clusters - 1) as t,
    case
      when clusters < 2 then null
      when variance <= 1e-15 or rate <= 0 or rate >= 1 then answers::double
      else least(rate * (1 - rate) / variance, answers)
    end as k
  from rated
)
select $last_day as day, environment, tenant, turn, language, answers, disclaimed, partly, round(rate, 9) as rate,
  round(reference.wilson_low(rate, k, t), 9) as low, round(reference.wilson_high(rate, k, t), 9) as high,
  disclaimed_with_useful, disclaimed_without_useful, answered_with_useful, answered_without_useful,
  '1' as metric_version,
  (select max(disclaim_version) from night.nights where day between $first_day and $last_day) as disclaim_version
from effective
order by all
