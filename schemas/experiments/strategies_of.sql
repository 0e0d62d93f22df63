select strategy, version, summary from experiments.run_strategies where run_id = $run_id order by position
