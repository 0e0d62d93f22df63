select run_id from experiments.runs where design = $design and finished_at is null order by started_at desc limit 1
