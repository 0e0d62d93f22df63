-- Nights whose figures are not made as those of the night before: one row for each thing that changed, on the first day it holds.
-- Read off the nights themselves and stored nowhere, so that running an old night again cannot leave a change behind that is none.
with version as (
  select day, 'metric' as what, min(metric_version) as after from marts.relevance_daily group by day
  union all
  select day, 'gate', min(gate_version) from marts.gate_population group by day
  union all
  select day, 'metric of answer_outcomes_daily', min(metric_version) from marts.answer_outcomes_daily group by day
  union all
  select day, 'metric of date_questions_daily', min(metric_version) from marts.date_questions_daily group by day
  union all
  select day, 'metric of disclaim_daily', min(metric_version) from marts.disclaim_daily group by day
  union all
  select day, 'metric of fault_daily', min(metric_version) from marts.fault_daily group by day
  union all
  select day, 'metric of gate_daily', min(metric_version) from marts.gate_daily group by day
  union all
  select day, 'metric of gate_population', min(metric_version) from marts.gate_population group by day
  union all
  select day, 'metric of loss_daily', min(metric_version) from marts.loss_daily group by day
),
made as (
  select day, judge, model, split_part(rubric_version, '+', 1) as rubric, nullif(split_part(rubric_version, '+', 2), '') as sufficiency,
    prompt_hash, disclaim_version,
    -- what is asked depends on who is asked and by which rubric: it is a change of its own only where these are the same
    (judge, model, rubric_version) = lag((judge, model, rubric_version)) over (order by day) as asked_alike
  from night.nights
  where published
),
part as (
  select day, asked_alike, part.what, part.after
  from made, lateral (
    values ('judge', judge), ('model', model), ('rubric', rubric), ('sufficiency rubric', sufficiency),
      ('instructions', prompt_hash[:12]), ('disclaim', disclaim_version)
  ) as part (what, after)
  union all
  select day, true, what, after from version semi join made using (day)
),
compared as (
  select *, lag(after) over (partition by what order by day) as before from part
)
select day, what, before, after
from compared
where before <> after and (what <> 'instructions' or asked_alike) and day between $first_day and $last_day
order by day, what
