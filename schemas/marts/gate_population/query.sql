-- Turns come in conversations; those whose turns fare alike are counted once with their number (a profile), as gate_daily does.
with turn as materialized (
  select turns.environment, turns.tenant, hash(conversation_id) as conversation, coalesce(turns.language, replay.language) as language,
    replay.reason, would_be, would_be_reason, replay.gate_version,
    case
      when decision = 'skip' then 'skipped'
      when decision in ('correction', 'no_need') then decision
      when decision = 'follow_up' then if(replay.combined_with is null, 'no_history', 'eligible')
      when replay.reason <> 'first_message' then 'as_typed'
      else if(turn_index = 0, 'first', 'no_history')
    end as becomes
  from canonical.turns as turns
  anti join reference.turns_again($first_day, $last_day) as again using (tenant, event_id)
  join night.replayed_decisions as replay using (day, environment, tenant, event_id)
  where turns.day between $first_day and $last_day
),
profile as (
  select environment, tenant, min(conversation) as conversation, count(*) as conversations
  from (
    select environment, tenant, conversation, sum(hash(language, becomes, reason, would_be, would_be_reason)) as told
    from turn
    group by environment, tenant, conversation
  )
  group by environment, tenant, told
),
part as (
  select environment, tenant, conversation, any_value(conversations) as conversations, language, becomes, reason, would_be, would_be_reason,
    count(*) as y
  from turn
  join profile using (environment, tenant, conversation)
  group by all
),
scoped as (
  select environment, tenant, what.measure, conversation, conversations, speech.language, what.value, what.reason, y
  from part,
  lateral (
    select 'population' as measure, part.becomes as value, part.reason as reason
    union all
    select 'skip_cost', part.would_be, part.would_be_reason where part.becomes = 'skipped'
  ) as what,
  lateral (values (part.language), ('*')) as speech (language)
),
size as (
  select environment, tenant, measure, conversation, language, any_value(conversations) as conversations, sum(y) as m
  from scoped
  group by all
),
hit as (
  select environment, tenant, measure, conversation, language, what.value, what.reason, sum(y) as y
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
  join size using (environment, tenant, measure, conversation, language),
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
  (select if(min(gate_version) = max(gate_version), min(gate_version), 'several') from turn) as gate_version, '1' as metric_version
from effective
order by all
