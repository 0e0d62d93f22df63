-- The judged passages of the sample of some days, with what they are weighted by; the newest verdict of each.
select sample.environment, sample.tenant, sample.retrieval_id, passage.passage_id, verdict.judge, verdict.model, verdict.rubric_version,
  if($against = 'query', passage.query_grade, passage.need_grade) as grade, 1 / min(sample.probability) as weight
from night.sample as sample
join night.verdicts as verdict on verdict.tenant = sample.tenant and verdict.verdict_key = sample.verdict_key
join night.passage_verdicts as passage on passage.tenant = verdict.tenant and passage.verdict_key = verdict.verdict_key
where sample.day between $first_day and $last_day and passage.status = 'judged' and verdict.judge <> 'labels'
  and list_contains($environments, sample.environment)
group by all
order by all
