-- The newest measurement of the noise floor of each measure, by the very judge that judged the night of a day.
select measure, noise.day, (irrelevant_after - irrelevant_before) / compared as difference, standard_error
from night.noise as noise
join night.nights as night using (judge, model, rubric_version, prompt_hash)
where night.day = $day and noise.environment = $environment and compared > 0
qualify row_number() over (partition by measure order by measured_at desc) = 1
