insert into experiments.runs
values ($run_id, $design, $dataset, $dataset_hash, $control, $retriever, $judge, $harness_version, $k, $repetitions, $expected,
  $started_at, null)
