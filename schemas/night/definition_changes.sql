-- Nights whose figures are not made as those of the night before: another judge, model, rubric or formula. Read off the nights
-- themselves and stored nowhere, so that running an old night again cannot leave a change behind that is none.
with version as (
  select day, min(metric_version) as metric_version from marts.relevance_daily group by day
),
made as (
  select night.day, night.judge, night.model, night.rubric_version,
    coalesce(version.metric_version, lag(version.metric_version ignore nulls) over (order by night.day)) as metric_version
  from night.nights as night
  left join version using (day)
  where night.published
),
compared as (
  select day, part.what, part.after, lag(part.after) over (partition by part.what order by day) as before
  from made, lateral (
    values ('judge', judge), ('model', model), ('rubric', rubric_version), ('metric', metric_version)
  ) as part (what, after)
)
select day, what, before, after
from compared
where before <> after and day between $first_day and $last_day
order by day, what
