-- For each night, instrument and frozen retrieval: how many passages have another verdict than the first night's, of how many.
-- "Nothing needed to be looked up" is a verdict too; a status that says why there is none is counted apart.
with named as (
  select *, concat_ws(' ', judge, model, rubric_version, prompt_hash) as instrument, status in ('judged', 'not_needed') as answered
  from night.anchor_verdicts
),
first_night as (
  select instrument, tenant, retrieval_id, ordinal, query_grade, need_grade, day
  from named
  where answered
  qualify row_number() over (partition by instrument, tenant, retrieval_id, ordinal order by day) = 1
)
select again.day, instrument, tenant, retrieval_id,
  count(*) filter (
    answered and again.day > first_night.day
    and (again.query_grade is distinct from first_night.query_grade or again.need_grade is distinct from first_night.need_grade)
  ) as moved,
  count(*) filter (answered and again.day > first_night.day) as passages,
  count(*) filter (not answered) as unanswered
from named as again
left join first_night using (instrument, tenant, retrieval_id, ordinal)
group by all
order by all
