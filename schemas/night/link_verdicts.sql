update night.sample as sample
set verdict_key = asked.verdict_key
from asked
where sample.day = $day and sample.environment = asked.environment and sample.tenant = asked.tenant
  and sample.retrieval_id = asked.retrieval_id and sample.verdict_key is distinct from asked.verdict_key
