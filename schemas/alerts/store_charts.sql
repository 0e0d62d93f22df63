insert into alerts.charts by name from new_charts order by all
