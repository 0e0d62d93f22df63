insert into alerts.alerts by name from found_alerts order by all
