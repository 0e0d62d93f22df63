from alerts.alerts where starts_with(alert_id, $alert_id) order by alert_id
