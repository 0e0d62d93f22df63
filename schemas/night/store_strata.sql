insert into night.strata by name select $day as day, * from allocation order by all
