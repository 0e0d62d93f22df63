-- For each night and frozen retrieval, the share of its passages whose grades are not those of the first night that judged them.
with first_night as (
  select tenant, retrieval_id, ordinal, query_grade, need_grade, day
  from night.anchor_verdicts
  where judge = $judge and model = $model and rubric_version = $rubric_version and prompt_hash = $prompt_hash
    and status = 'judged'
  qualify row_number() over (partition by tenant, retrieval_id, ordinal order by day) = 1
)
select again.day, again.tenant, again.retrieval_id,
  count(*) filter (again.query_grade <> first_night.query_grade or again.need_grade <> first_night.need_grade) as moved,
  count(*) as passages
from night.anchor_verdicts as again
join first_night using (tenant, retrieval_id, ordinal)
where again.judge = $judge and again.model = $model and again.rubric_version = $rubric_version
  and again.prompt_hash = $prompt_hash and again.status = 'judged' and again.day > first_night.day and again.day <= $day
group by all
order by all
