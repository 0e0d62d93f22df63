select asked.environment, asked.tenant, asked.retrieval_id
from asked
join night.verdicts as verdict using (tenant, verdict_key)
where verdict.is_final
