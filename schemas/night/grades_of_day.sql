select sample.environment, sample.tenant, sample.retrieval_id, passage.ordinal, passage.query_grade, passage.need_grade
from night.sample as sample
join night.passage_verdicts as passage using (tenant, verdict_key)
where sample.day = $day and passage.status = 'judged'
