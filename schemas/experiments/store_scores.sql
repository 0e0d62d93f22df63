insert into experiments.scores by name select * from new_scores
