update experiments.runs set finished_at = $at where run_id = $run_id
