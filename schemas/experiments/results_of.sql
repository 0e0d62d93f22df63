select strategy, item_id, repetition, error, unscored, input_hash, fired, skipped, passage_ids, findings, calls, prompt_tokens,
  completion_tokens, latency_ms
from experiments.results
where run_id = $run_id
order by strategy, item_id, repetition
