-- Nights whose figures are not made as those of the night before: one row for each thing that changed, on the first day it holds.
-- Read off the nights themselves and stored nowhere, so that running an old night again cannot leave a change behind that is none.
with version as (
  select day, min(metric_version) as metric_version from marts.relevance_daily group by day
),
gate as (
  select day, min(gate_version) as gate_version from marts.gate_population group by day
),
made as (
  select night.day, night.judge, night.model, split_part(night.rubric_version, '+', 1) as rubric,
    nullif(split_part(night.rubric_version, '+', 2), '') as sufficiency, night.prompt_hash, night.disclaim_version,
    coalesce(version.metric_version, lag(version.metric_version ignore nulls) over (order by night.day)) as metric_version,
    coalesce(gate.gate_version, lag(gate.gate_version ignore nulls) over (order by night.day)) as gate_version,
    -- what is asked depends on who is asked and by which rubric: it is a change of its own only where these are the same
    (night.judge, night.model, night.rubric_version) = lag((night.judge, night.model, night.rubric_version)) over (order by night.day)
      as asked_alike
  from night.nights as night
  left join version using (day)
  left join gate using (day)
  where night.published
),
compared as (
  select day, asked_alike, part.what, part.after, lag(part.after) over (partition by part.what order by day) as before
  from made, lateral (
    values ('judge', judge), ('model', model), ('rubric', rubric), ('sufficiency rubric', sufficiency),
      ('instructions', prompt_hash[:12]), ('metric', metric_version), ('disclaim', disclaim_version), ('gate', gate_version)
  ) as part (what, after)
)
select day, what, before, after
from compared
where before <> after and (what <> 'instructions' or asked_alike) and day between $first_day and $last_day
order by day, what
