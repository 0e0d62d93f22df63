with answer as materialized (
  select turns.environment, turns.tenant, hash(turns.conversation_id) as conversation,
    if(turns.turn_index = 0, 'first', 'later') as turn, coalesce(turns.language, 'unknown') as language, said.disclaimed
  from canonical.turns as turns
  anti join reference.turns_again($first_day, $last_day) as again using (tenant, event_id)
  join night.disclaims as said using (day, environment, tenant, event_id)
  where turns.day between $first_day and $last_day
),
-- most conversations look alike: those with the same answers are counted once with their number, as in gate_daily
profile as (
  select environment, tenant, min(conversation) as conversation, count(*) as conversations
  from (
    select environment, tenant, conversation, sum(hash(turn, language, disclaimed)) as answers
    from answer
    group by environment, tenant, conversation
  )
  group by environment, tenant, answers
),
part as (
  select environment, tenant, conversation, any_value(conversations) as conversations, turn, language, disclaimed, count(*) as n
  from answer
  join profile using (environment, tenant, conversation)
  group by all
),
size as (
  select environment, tenant, conversation, any_value(conversations) as conversations, place.turn, speech.language, sum(n) as m,
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
    reference.cluster_variance(disclaimed / answers, clusters, y_squared, y_m, m_squared, answers) as variance
  from sums
),
effective as (
  select rated.*, reference.t_of(clusters - 1) as t, reference.cluster_effective(rate, variance, clusters, answers) as k from rated
)
select $last_day as day, environment, tenant, turn, language, answers, disclaimed, partly, round(rate, 9) as rate,
  round(reference.wilson_low(rate, k, t), 9) as low, round(reference.wilson_high(rate, k, t), 9) as high,
  '1' as metric_version,
  (select max(disclaim_version) from night.nights where day between $first_day and $last_day) as disclaim_version
from effective
order by all
