insert into night.spending by name from new_spending
