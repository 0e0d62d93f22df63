-- Turns come in conversations, so the spread between conversations is what counts. Most conversations look alike: those of which the same
-- is told are counted once with their number (a profile, with one of them as its example), which makes a day of millions small.
with turn as (
  select turns.environment, turns.tenant, hash(conversation_id) as conversation, if(turn_index = 0, 'first', 'later') as turn,
    coalesce(turns.language, 'unknown') as language, gate_decision, coalesce(gate_reason, 'unreported') as reason,
    replay.decision as replayed, replay.reason as rule
  from canonical.turns as turns
  anti join reference.turns_again($first_day, $last_day) as again using (tenant, event_id)
  left join night.replayed_decisions as replay using (day, environment, tenant, event_id)
  where turns.day between $first_day and $last_day
),
-- the turn of a search may lie on the other side of midnight, or never have arrived
asked as (
  select environment, tenant, turn_id, if(turn_index = 0, 'first', 'later') as turn, coalesce(language, 'unknown') as language
  from canonical.turns
  anti join reference.turns_again($first_day - 1, $last_day + 1) as again using (tenant, event_id)
  where day between $first_day - 1 and $last_day + 1
),
said as materialized (
  select 'turn' as of, * from turn
  union all
  select 'search', environment, tenant, hash(search.conversation_id), coalesce(asked.turn, 'unknown'), coalesce(asked.language, 'unknown'),
    case when outcome <> 'searched' then outcome when passage_count = 0 then 'empty' else 'found' end, coalesce(search.reason, 'none'), null, null
  from canonical.retrievals as search
  anti join reference.retrievals_again($first_day, $last_day) as again using (tenant, event_id)
  left join asked using (environment, tenant, turn_id)
  where search.day between $first_day and $last_day
),
profile as (
  select environment, tenant, of, min(conversation) as conversation, count(*) as conversations
  from (
    select environment, tenant, of, conversation, sum(hash(turn, language, gate_decision, reason, replayed, rule)) as told
    from said
    group by environment, tenant, of, conversation
  )
  group by environment, tenant, of, told
),
part as (
  select environment, tenant, of, conversation, any_value(conversations) as conversations, turn, language, gate_decision, reason, replayed, rule,
    count(*) as y
  from said
  join profile using (environment, tenant, of, conversation)
  group by all
),
scoped as (
  select environment, tenant, what.measure, conversation, conversations, place.turn, speech.language, what.value, what.reason, y
  from part,
  lateral (
    select 'decision' as measure, coalesce(part.gate_decision, 'unreported') as value, part.reason as reason where part.of = 'turn'
    union all
    select 'replayed', part.replayed, part.rule where part.replayed is not null
    union all
    select 'disagreement', if(part.gate_decision = part.replayed, 'agree', 'differ'), part.gate_decision || ' / ' || part.replayed
    where part.gate_decision is not null and part.replayed is not null
    union all
    select 'outcome', part.gate_decision, part.reason where part.of = 'search'
  ) as what,
  lateral (values (part.turn), ('all')) as place (turn),
  lateral (values (part.language), ('*')) as speech (language)
),
size as (
  select environment, tenant, measure, conversation, turn, language, any_value(conversations) as conversations, sum(y) as m
  from scoped
  group by all
),
hit as (
  select environment, tenant, measure, conversation, turn, language, what.value, what.reason, sum(y) as y
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
  join size using (environment, tenant, measure, conversation, turn, language),
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
