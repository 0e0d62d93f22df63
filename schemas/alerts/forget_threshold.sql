delete from alerts.alerts where rule = 'threshold' and alert_id not in (select alert_id from found_alerts)
