select environment, max(day) as day from alerts.charted group by all order by all
