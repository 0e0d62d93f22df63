with answer as (
  select turns.environment, turns.tenant, hash(turns.conversation_id) as conversation,
    if(turns.turn_index = 0, 'first', 'later') as turn, coalesce(turns.language, 'unknown') as language, said.disclaimed,
    count(*) as n
  from canonical.turns as turns
  join night.disclaims as said using (day, environment, tenant, event_id)
  where turns.day between $first_day and $last_day
  group by all
),
-- most conversations look alike: those with the same answers are counted once with their number
kind as (
  select distinct turn, language, disclaimed, hash(turn, language, disclaimed) as kind from answer
),
conversation as (
  select environment, tenant, list({'kind': kind, 'n': n} order by kind) as answers
  from (select environment, tenant, conversation, hash(turn, language, disclaimed) as kind, n from answer)
  group by environment, tenant, conversation
),
profile as (
  select environment, tenant, answers, count(*) as conversations, row_number() over () as profile
  from conversation
  group by environment, tenant, answers
),
part as (
  select environment, tenant, profile, conversations, answer.n as n, kind.turn, kind.language, kind.disclaimed
  from (select environment, tenant, profile, conversations, unnest(answers) as answer from profile)
  join kind on kind.kind = answer.kind
),
size as (
  select environment, tenant, profile, any_value(conversations) as conversations, place.turn, speech.language, sum(n) as m,
    coalesce(sum(n) filter (disclaimed = 'yes'), 0) as y,
    coalesce(sum(n) filter (disclaimed = 'partial'), 0) as partly
  from part,
  lateral (values (part.turn), ('all')) as place (turn),
  lateral (values (part.language), ('*')) as speech (language)
  group by all
),
sums as (
  select environment, scope.tenant, turn, language, sum(conversations * m)::bigint as answers,
    sum(conversations * y)::bigint as disclaimed, sum(conversations * partly)::bigint as partly, sum(conversations) as clusters,
    sum(conversations * m * m)::double as m_squared, sum(conversations * y * y)::double as y_squared,
    sum(conversations * y * m)::double as y_m
  from size, lateral (values (size.tenant), ('*')) as scope (tenant)
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
  '1' as metric_version,
  (select max(disclaim_version) from night.nights where day between $first_day and $last_day) as disclaim_version
from effective
order by all
