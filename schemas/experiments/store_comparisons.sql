insert or replace into experiments.comparisons by name select * from new_comparisons
