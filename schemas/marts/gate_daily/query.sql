with turn as (
  select day, environment, tenant, event_id, turn_id, conversation_id, coalesce(language, 'unknown') as language,
    if(turn_index = 0, 'first', 'later') as turn, gate_decision, gate_reason
  from canonical.turns
  where day between $first_day and $last_day
  qualify row_number() over (partition by environment, tenant, turn_id order by occurred_at, event_id) = 1
),
unit as (
  select day, environment, tenant, conversation_id, turn, language, 'decision' as measure,
    coalesce(gate_decision, 'unreported') as value, coalesce(gate_reason, 'unreported') as reason
  from turn
  union all
  select day, environment, tenant, conversation_id, turn, turn.language, what.measure, what.value, what.reason
  from turn
  join night.replayed_decisions as replay using (day, environment, tenant, event_id),
  lateral (
    select 'replayed', replay.decision, replay.reason
    union all
    select 'disagreement', if(gate_decision = replay.decision, 'agree', 'differ'), gate_decision || ' / ' || replay.decision
    where gate_decision is not null
  ) as what (measure, value, reason)
  union all
  select search.day, search.environment, search.tenant, search.conversation_id, turn.turn, coalesce(turn.language, 'unknown'), 'outcome',
    case when outcome <> 'searched' then outcome when passage_count = 0 then 'empty' else 'found' end,
    coalesce(search.reason, 'none')
  from canonical.retrievals as search
  left join turn using (environment, tenant, turn_id)
  where search.day between $first_day and $last_day
  qualify row_number() over (partition by search.environment, search.tenant, search.retrieval_id order by search.occurred_at, search.event_id) = 1
),
scoped as (
  select environment, scope.tenant, unit.tenant || chr(31) || conversation_id as cluster, place.turn, speech.language, measure,
    unit.value, unit.reason
  from unit,
  lateral (values (unit.tenant), ('*')) as scope (tenant),
  lateral (values (unit.turn), ('all')) as place (turn),
  lateral (values (unit.language), ('*')) as speech (language)
  where place.turn is not null
),
clusters as (
  select environment, tenant, turn, language, measure, cluster, count(*) as m
  from scoped
  group by all
),
totals as (
  select environment, tenant, turn, language, measure, sum(m)::bigint as total, count(*) as clusters, sum(m * m)::double as m_squared
  from clusters
  group by all
),
counted as (
  select environment, tenant, turn, language, measure, what.value, what.reason, cluster, count(*) as y
  from scoped,
  lateral (
    select scoped.value, scoped.reason
    union all select scoped.value, '*'
    union all select 'fired', '*' where measure in ('decision', 'replayed') and scoped.value in ('skip', 'follow_up', 'correction', 'no_need')
  ) as what (value, reason)
  group by all
),
sums as (
  select environment, tenant, turn, language, measure, value, reason, sum(y)::bigint as n, sum(y * y)::double as y_squared,
    sum(y * m)::double as y_m
  from counted
  join clusters using (environment, tenant, turn, language, measure, cluster)
  group by all
),
rated as (
  select sums.*, total, clusters, n / total as rate,
    reference.cluster_variance(n / total, clusters, y_squared, y_m, m_squared, total) as variance
  from sums
  join totals using (environment, tenant, turn, language, measure)
),
effective as (
  select rated.*, reference.t_of(clusters - 1) as t, reference.cluster_effective(rate, variance, clusters, total) as k from rated
)
select $last_day as day, environment, tenant, turn, language, measure, value, reason, n, total, round(rate, 9) as rate,
  round(reference.wilson_low(rate, k, t), 9) as low, round(reference.wilson_high(rate, k, t), 9) as high,
  '1' as metric_version
from effective
order by all
