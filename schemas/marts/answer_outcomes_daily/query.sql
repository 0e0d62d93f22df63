-- A ratio estimate over strata with one answer to a retrieval, by the formula of relevance_daily (schemas/reference/wilson).
with drawn as (
  select sample.day, sample.environment, sample.tenant, sample.retrieval_id, sample.event_id, sample.turn_id, sample.kind, sample.position,
    sample.verdict_key, night.judge, night.model, night.rubric_version
  from night.sample as sample
  join night.nights as night using (day)
  where sample.day between $first_day and $last_day
),
-- the turn of a search may lie on the other side of midnight; one that was reported twice counts once. What a night found is under its own
-- day, those turns included: what another night finds of them changes nothing.
answer as (
  select said.day, environment, turns.tenant, turn_id, if(reference.of_first(turn_index, occurred_at, event_id) = 0, 'first', 'later') as turn,
    coalesce(reference.of_first(turns.language, occurred_at, event_id), 'unknown') as language,
    reference.of_first(said.disclaimed, occurred_at, event_id) as disclaimed
  from canonical.turns as turns
  join night.disclaims as said using (environment, tenant, event_id)
  where turns.day between $first_day - 1 and $last_day + 1 and said.day between $first_day and $last_day
    and turns.day between said.day - 1 and said.day + 1 and turns.turn_id in (select turn_id from drawn)
  group by said.day, environment, turns.tenant, turn_id
),
returned as (
  -- the few that were drawn, before anything is joined to a whole day of passages
  select day, tenant, event_id, ordinal
  from canonical.passages
  where day between $first_day and $last_day and (tenant, event_id) in (select tenant, event_id from drawn)
),
weighed as (
  select drawn.day, drawn.environment, drawn.tenant, drawn.kind, drawn.position, drawn.retrieval_id, drawn.judge, drawn.model,
    drawn.rubric_version, answer.turn, answer.language, answer.disclaimed = 'yes' as has_disclaimed,
    coalesce(bool_or(graded.need_grade >= 2) filter (graded.status = 'judged'), false) as has_useful,
    coalesce(bool_and(graded.status = 'judged'), false) and count(*) = count(graded.status) as is_graded,
    bool_or(coalesce(not verdict.is_final, true)) as may_come
  from drawn
  join answer using (day, environment, tenant, turn_id)
  join returned on returned.day = drawn.day and returned.tenant = drawn.tenant and returned.event_id = drawn.event_id
  left join night.verdicts as verdict on verdict.tenant = drawn.tenant and verdict.verdict_key = drawn.verdict_key
  left join night.passage_verdicts as graded
    on graded.tenant = drawn.tenant and graded.verdict_key = drawn.verdict_key and graded.ordinal = returned.ordinal
  where verdict.needs_retrieval is distinct from false
  group by all
),
told as (
  select weighed.*, pick.outcome, has_useful or is_graded as is_known,
    (has_useful or is_graded) and has_disclaimed = pick.disclaims and has_useful = pick.useful as is_hit,
    -- without a verdict it is open whether something useful was there, but not whether the answer disclaims
    not (has_useful or is_graded) and has_disclaimed = pick.disclaims as may_hit
  from weighed,
  lateral (
    values ('disclaimed_although_useful', true, true), ('disclaimed_rightly', true, false),
      ('answered_with_useful', false, true), ('answered_with_nothing_useful', false, false)
  ) as pick (outcome, disclaims, useful)
),
cell as (
  select told.day, environment, scope.tenant, told.tenant as owner, kind, position, place.turn, speech.language, outcome,
    any_value(judge) as judge, any_value(model) as model, any_value(rubric_version) as rubric_version,
    any_value(frame_size)::double as stratum, any_value(sample_size)::double as drawn, any_value(frame_size / sample_size) as weight,
    count_if(is_known) as m, count_if(is_hit) as y, count_if(may_hit) as open, count_if(not is_known) as missing,
    count_if(not is_known and may_come) as pending
  from told
  join night.strata as strata using (day, environment, tenant, kind, position),
  lateral (values (told.tenant), ('*')) as scope (tenant),
  lateral (values (told.turn), ('all')) as place (turn),
  lateral (values (told.language), ('*')) as speech (language)
  group by all
),
ratio as (
  select environment, tenant, turn, language, outcome,
    if(count(distinct judge) = 1, min(judge), 'several') as judge,
    if(count(distinct model) = 1, min(model), 'several') as model,
    if(count(distinct rubric_version) = 1, min(rubric_version), 'several') as rubric_version,
    sum(m)::bigint as answers, sum(y)::bigint as hits, sum(pending)::bigint as pending,
    sum(weight * y) as weighted_hits, sum(weight * open) as weighted_open, sum(weight * m) as weighted_known,
    sum(weight * missing) as weighted_missing, sum(weight * y) / nullif(sum(weight * m), 0) as rate,
    reference.rate_variance(
      sum(weight * y) / nullif(sum(weight * m), 0),
      sum(reference.rate_spread(stratum, drawn, y, y, y)),
      sum(reference.rate_spread(stratum, drawn, y, y, m)),
      sum(reference.rate_spread(stratum, drawn, m, m, m)),
      sum(weight * m)
    ) as variance,
    reference.rate_degrees(sum(m), count_if(m > 1), count_if(m = 1)) as degrees
  from cell
  group by all
),
effective as (
  select *, reference.rate_effective(rate, variance, answers) as effective_n, reference.t_of(degrees) as t from ratio
)
select $last_day as day, environment, tenant, turn, language, outcome,
  if(pending > 0, null, round(rate, 9)) as rate,
  if(pending > 0, null, round(reference.wilson_low(rate, effective_n, t), 9)) as low,
  if(pending > 0, null, round(reference.wilson_high(rate, effective_n, t), 9)) as high,
  answers, round(effective_n, 6) as effective_n, hits,
  round(weighted_known / (weighted_known + weighted_missing), 9) as coverage,
  round(weighted_hits / (weighted_known + weighted_missing), 9) as best,
  round((weighted_hits + weighted_open) / (weighted_known + weighted_missing), 9) as worst,
  pending, '1' as metric_version,
  (select max(disclaim_version) from night.nights where day between $first_day and $last_day) as disclaim_version,
  judge, model, rubric_version
from effective
order by all
