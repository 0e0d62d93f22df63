insert into experiments.run_strategies by name select * from new_strategies
