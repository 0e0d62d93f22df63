-- Every published night, with the judge it was judged by, and whether each drawn retrieval has its verdict.
select night.day, environment, concat_ws(' ', night.judge, night.model, night.rubric_version, night.prompt_hash) as instrument,
  count(*) filter (sample.retrieval_id is not null and not coalesce(verdict.is_final, false)) = 0 as complete
from (select *, unnest(environments) as environment from night.nights where published) as night
left join night.sample as sample using (day, environment)
left join night.verdicts as verdict using (tenant, verdict_key)
group by all
order by environment, day
