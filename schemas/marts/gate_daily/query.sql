-- Turns come in conversations, so the spread between conversations is what counts. Most conversations look alike: those with the same
-- turns, decisions and reasons are counted once with their number (a profile), which makes a day of millions small.
with first_turn as (
  -- a turn that was reported twice counts once; ids alone, so that the texts of a day need not fit into memory
  select tenant, min(event_id) as event_id from canonical.turns where day between $first_day and $last_day
  group by environment, tenant, turn_id
),
turn as (
  select day, environment, tenant, event_id, turn_id, hash(conversation_id) as conversation, coalesce(language, 'unknown') as language,
    if(turn_index = 0, 'first', 'later') as turn, gate_decision, coalesce(gate_decision, 'unreported') as decision,
    coalesce(gate_reason, 'unreported') as reason
  from canonical.turns
  where day between $first_day and $last_day and (tenant, event_id) in (select tenant, event_id from first_turn)
),
-- the turn of a search may lie on the other side of midnight, or never have arrived
asked as (
  select environment, tenant, turn_id, if(min(turn_index) = 0, 'first', 'later') as turn, coalesce(min(language), 'unknown') as language
  from canonical.turns
  where day between $first_day - 1 and $last_day + 1
  group by environment, tenant, turn_id
),
replayed as (
  select turn.environment, turn.tenant, turn.conversation, turn.turn, turn.language, turn.gate_decision, replay.decision, replay.reason
  from turn
  join night.replayed_decisions as replay using (day, environment, tenant, event_id)
),
first_search as (
  select tenant, min(event_id) as event_id from canonical.retrievals where day between $first_day and $last_day
  group by environment, tenant, retrieval_id
),
unit as (
  select environment, tenant, conversation, 'decision' as measure, turn, language, decision as value, reason, count(*) as y
  from turn
  group by all
  union all
  select environment, tenant, conversation, 'replayed', turn, language, decision, reason, count(*)
  from replayed
  group by all
  union all
  select environment, tenant, conversation, 'disagreement', turn, language,
    if(gate_decision = decision, 'agree', 'differ'), gate_decision || ' / ' || decision, count(*)
  from replayed
  where gate_decision is not null
  group by all
  union all
  select search.environment, search.tenant, hash(search.conversation_id), 'outcome', coalesce(turn.turn, 'unknown'),
    coalesce(turn.language, 'unknown'),
    case when outcome <> 'searched' then outcome when passage_count = 0 then 'empty' else 'found' end,
    coalesce(search.reason, 'none'), count(*)
  from canonical.retrievals as search
  left join asked as turn using (environment, tenant, turn_id)
  where day between $first_day and $last_day and (tenant, event_id) in (select tenant, event_id from first_search)
  group by all
),
kind as (
  select distinct measure, turn, language, value, reason, hash(turn, language, value, reason) as kind from unit
),
conversation as (
  select environment, tenant, measure, list({'kind': kind, 'y': y} order by kind) as units
  from (select environment, tenant, conversation, measure, hash(turn, language, value, reason) as kind, y from unit)
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
  select environment, tenant, part.measure, profile, conversations, place.turn, speech.language, kind.value, kind.reason, unit.y as y
  from part
  join kind on kind.measure = part.measure and kind.kind = part.unit.kind,
  lateral (values (kind.turn), ('all')) as place (turn),
  lateral (values (kind.language), ('*')) as speech (language)
),
size as (
  select environment, tenant, measure, profile, turn, language, any_value(conversations) as conversations, sum(y) as m
  from scoped
  group by all
),
hit as (
  select environment, tenant, measure, profile, turn, language, what.value, what.reason, sum(y) as y
  from scoped,
  lateral (
    select scoped.value, scoped.reason
    union all select scoped.value, '*'
    union all select 'fired', '*' where measure in ('decision', 'replayed') and scoped.value in ('skip', 'follow_up', 'correction', 'no_need')
  ) as what (value, reason)
  group by all
),
total as (
  select environment, scope.tenant, measure, turn, language, sum(conversations * m)::bigint as total, sum(conversations) as clusters,
    sum(conversations * m * m)::double as m_squared
  from size, lateral (values (size.tenant), ('*')) as scope (tenant)
  group by all
),
counted as (
  select environment, scope.tenant, measure, turn, language, value, reason, sum(conversations * y)::bigint as n,
    sum(conversations * y * y)::double as y_squared, sum(conversations * y * m)::double as y_m
  from hit
  join size using (environment, tenant, measure, profile, turn, language),
  lateral (values (hit.tenant), ('*')) as scope (tenant)
  group by all
),
rated as (
  select counted.*, total, clusters, n / total as rate,
    reference.cluster_variance(n / total, clusters, y_squared, y_m, m_squared, total) as variance
  from counted
  join total using (environment, tenant, measure, turn, language)
),
effective as (
  select rated.*, reference.t_of(clusters - 1) as t, reference.cluster_effective(rate, variance, clusters, total) as k from rated
)
select $last_day as day, environment, tenant, turn, language, measure, value, reason, n, total, round(rate, 9) as rate,
  round(reference.wilson_low(rate, k, t), 9) as low, round(reference.wilson_high(rate, k, t), 9) as high, '1' as metric_version
from effective
order by all
