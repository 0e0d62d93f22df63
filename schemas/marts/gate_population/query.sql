-- Turns come in conversations; those whose turns fare alike are counted once with their number (a profile), as gate_daily does.
with first_turn as (
  select min(event_id) as event_id from canonical.turns where day between $first_day and $last_day group by environment, tenant, turn_id
),
replayed as (
  select turns.environment, turns.tenant, hash(conversation_id) as conversation, coalesce(turns.language, replay.language) as language,
    decision, replay.reason, would_be, would_be_reason, replay.gate_version,
    case
      when decision = 'skip' then 'skipped'
      when decision in ('correction', 'no_need') then decision
      when decision = 'follow_up' then if(replay.combined_with is null, 'no_history', 'eligible')
      when replay.reason <> 'first_message' then 'as_typed'
      else if(turn_index = 0, 'first', 'no_history')
    end as becomes
  from canonical.turns as turns
  join night.replayed_decisions as replay using (day, environment, tenant, event_id)
  where day between $first_day and $last_day and event_id in (select event_id from first_turn)
),
unit as (
  select environment, tenant, conversation, 'population' as measure, language, becomes as value, reason, count(*) as y
  from replayed
  group by all
  union all
  select environment, tenant, conversation, 'skip_cost', language, would_be, would_be_reason, count(*)
  from replayed
  where decision = 'skip'
  group by all
),
kind as (
  select distinct measure, language, value, reason, hash(language, value, reason) as kind from unit
),
conversation as (
  select environment, tenant, measure, list({'kind': kind, 'y': y} order by kind) as units
  from (select environment, tenant, conversation, measure, hash(language, value, reason) as kind, y from unit)
  group by environment, tenant, conversation, measure
),
profile as (
  select environment, tenant, measure, units, count(*) as conversations, row_number() over () as profile
  from conversation
  group by environment, tenant, measure, units
),
part as (
  select environment, tenant, measure, profile, conversations, unnest(units) as unit
  from profile
),
scoped as (
  select environment, tenant, part.measure, profile, conversations, speech.language, kind.value, kind.reason, unit.y as y
  from part
  join kind on kind.measure = part.measure and kind.kind = part.unit.kind,
  lateral (values (kind.language), ('*')) as speech (language)
),
size as (
  select environment, tenant, measure, profile, language, any_value(conversations) as conversations, sum(y) as m
  from scoped
  group by all
),
hit as (
  select environment, tenant, measure, profile, language, what.value, what.reason, sum(y) as y
  from scoped,
  lateral (select scoped.value, scoped.reason union all select scoped.value, '*') as what (value, reason)
  group by all
),
total as (
  select environment, scope.tenant, measure, language, sum(conversations * m)::bigint as total, sum(conversations) as clusters,
    sum(conversations * m * m)::double as m_squared
  from size, lateral (values (size.tenant), ('*')) as scope (tenant)
  group by all
),
counted as (
  select environment, scope.tenant, measure, language, value, reason, sum(conversations * y)::bigint as n,
    sum(conversations * y * y)::double as y_squared, sum(conversations * y * m)::double as y_m
  from hit
  join size using (environment, tenant, measure, profile, language),
  lateral (values (hit.tenant), ('*')) as scope (tenant)
  group by all
),
rated as (
  select counted.*, total, clusters, n / total as rate,
    reference.cluster_variance(n / total, clusters, y_squared, y_m, m_squared, total) as variance
  from counted
  join total using (environment, tenant, measure, language)
),
effective as (
  select rated.*, reference.t_of(clusters - 1) as t, reference.cluster_effective(rate, variance, clusters, total) as k from rated
)
select $last_day as day, environment, tenant, language, measure, value, reason, n, total, round(rate, 9) as rate,
  round(reference.wilson_low(rate, k, t), 9) as low, round(reference.wilson_high(rate, k, t), 9) as high,
  (select if(min(gate_version) = max(gate_version), min(gate_version), 'several') from replayed) as gate_version, '1' as metric_version
from effective
order by all
