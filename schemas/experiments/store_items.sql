insert into experiments.run_items by name select * from new_items
