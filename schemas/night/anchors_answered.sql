-- Frozen retrievals of which this judge need not be asked again for this night.
select tenant, retrieval_id
from night.anchor_verdicts
where day = $day and judge = $judge and model = $model and rubric_version = $rubric_version and prompt_hash = $prompt_hash
group by all
having bool_and(not list_contains($not_final, status))
