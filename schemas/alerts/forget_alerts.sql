delete from alerts.alerts
