update alerts.alerts set delivered_at = $at where alert_id = $alert_id
