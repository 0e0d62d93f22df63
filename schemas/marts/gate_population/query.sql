with turn as (
  select day, environment, tenant, event_id, tenant || chr(31) || conversation_id as cluster, turn_index, language as stated
  from canonical.turns
  where day between $first_day and $last_day
  qualify row_number() over (partition by environment, tenant, turn_id order by occurred_at, event_id) = 1
),
replayed as (
  select turn.environment, turn.tenant, cluster, coalesce(stated, replay.language) as language, decision, replay.reason, would_be, would_be_reason,
    gate_version,
    case
      when decision = 'skip' then 'skipped'
      when decision in ('correction', 'no_need') then decision
      when decision = 'follow_up' then if(combined_with is null, 'no_history', 'eligible')
      when replay.reason <> 'first_message' then 'as_typed'
      else if(turn_index = 0, 'first', 'no_history')
    end as becomes
  from turn
  join night.replayed_decisions as replay using (day, environment, tenant, event_id)
),
unit as (
  select environment, tenant, cluster, language, 'population' as measure, becomes as value, reason, gate_version from replayed
  union all
  select environment, tenant, cluster, language, 'skip_cost', would_be, would_be_reason, gate_version from replayed where decision = 'skip'
),
scoped as (
  select environment, scope.tenant, cluster, speech.language, measure, unit.value, unit.reason, gate_version
  from unit,
  lateral (values (unit.tenant), ('*')) as scope (tenant),
  lateral (values (unit.language), ('*')) as speech (language)
),
clusters as (
  select environment, tenant, language, measure, cluster, count(*) as m, min(gate_version) as oldest, max(gate_version) as newest
  from scoped
  group by all
),
totals as (
  select environment, tenant, language, measure, sum(m)::bigint as total, count(*) as clusters, sum(m * m)::double as m_squared,
    if(min(oldest) = max(newest), min(oldest), 'several') as gate_version
  from clusters
  group by all
),
counted as (
  select environment, tenant, language, measure, what.value, what.reason, cluster, count(*) as y
  from scoped,
  lateral (select scoped.value, scoped.reason union all select scoped.value, '*') as what (value, reason)
  group by all
),
sums as (
  select environment, tenant, language, measure, value, reason, sum(y)::bigint as n, sum(y * y)::double as y_squared, sum(y * m)::double as y_m
  from counted
  join clusters using (environment, tenant, language, measure, cluster)
  group by all
),
rated as (
  select sums.*, total, clusters, gate_version, n / total as rate,
    reference.cluster_variance(n / total, clusters, y_squared, y_m, m_squared, total) as variance
  from sums
  join totals using (environment, tenant, language, measure)
),
effective as (
  select rated.*, reference.t_of(clusters - 1) as t, reference.cluster_effective(rate, variance, clusters, total) as k from rated
)
select $last_day as day, environment, tenant, language, measure, value, reason, n, total, round(rate, 9) as rate,
  round(reference.wilson_low(rate, k, t), 9) as low, round(reference.wilson_high(rate, k, t), 9) as high,
  gate_version, '1' as metric_version
from effective
order by all
