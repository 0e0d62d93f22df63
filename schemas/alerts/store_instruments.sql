insert into alerts.instruments by name select * from new_instruments order by all
