select environment, day, what, since from alerts.acts order by environment, day, acted_at
