-- Of what is to be asked about, what is drawn still, not taken out meanwhile, and whether a final verdict on it is known.
select asked.environment, asked.tenant, asked.retrieval_id, coalesce(verdict.is_final, false) as known
from asked
join night.sample as sample using (environment, tenant, retrieval_id)
left join night.verdicts as verdict on verdict.tenant = asked.tenant and verdict.verdict_key = asked.verdict_key
where sample.day = $day
