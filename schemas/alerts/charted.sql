from alerts.charted where day > $after order by environment, day
