delete from experiments.results
where run_id = $run_id and (strategy, item_id, repetition) in (select (strategy, item_id, repetition) from new_results)
