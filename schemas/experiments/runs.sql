select runs.run_id, design, dataset, dataset_hash, control, retriever, judge, harness_version, k, repetitions, expected,
  (select count(*) from experiments.results where results.run_id = runs.run_id and error is null) as completed,
  started_at, finished_at
from experiments.runs
where starts_with(runs.run_id, $prefix)
order by started_at, runs.run_id
