select strategy, item_id, repetition, measure, score from experiments.scores where run_id = $run_id
order by strategy, item_id, repetition, measure
