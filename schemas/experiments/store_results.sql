insert into experiments.results by name select * from new_results
