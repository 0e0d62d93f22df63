-- Every published night, with the judge it was judged by, and whether each drawn retrieval has its verdict.
select day, environment, concat_ws(' ', judge, model, rubric_version, prompt_hash) as instrument, complete
from (select *, unnest(environments) as environment from night.nights where published) as night
join alerts.summed_nights using (day, environment)
order by environment, day
