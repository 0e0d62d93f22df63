insert into alerts.charted by name from new_charted order by all
