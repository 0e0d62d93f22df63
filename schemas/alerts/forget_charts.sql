delete from alerts.charts
