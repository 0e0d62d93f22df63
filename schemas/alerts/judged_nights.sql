-- Every published night that found something to draw from (another is evidence of nothing), with the judge it was judged by, and whether each drawn retrieval has its verdict.
select day, environment, concat_ws(' ', judge, model, rubric_version, prompt_hash) as instrument, complete
from (select *, unnest(environments) as environment from night.nights where published and frame_size > 0) as night
join alerts.summed_nights using (day, environment)
order by environment, day
