-- What one judge said of each frozen passage on a night, and whether that is another grade than on the first that answered.
with named as (
  select *, status in ('judged', 'not_needed') as answered
  from night.anchor_verdicts
  where judge = $judge and model = $model and rubric_version = $rubric_version and prompt_hash = $prompt_hash and day <= $day
),
first_night as (
  select tenant, retrieval_id, ordinal, query_grade as first_query_grade, need_grade as first_need_grade
  from named
  where answered
  qualify row_number() over (partition by tenant, retrieval_id, ordinal order by day) = 1
)
select tenant, retrieval_id, ordinal, query_grade, need_grade,
  answered and (query_grade is distinct from first_query_grade or need_grade is distinct from first_need_grade) as moved
from named
left join first_night using (tenant, retrieval_id, ordinal)
where day = $day
