select comparisons.run_id, dataset_hash, harness_version, comparisons.strategy, version, measure, outcome
from experiments.comparisons
join experiments.runs using (run_id)
join experiments.run_strategies using (run_id, strategy)
order by started_at, comparisons.run_id, comparisons.strategy, measure
