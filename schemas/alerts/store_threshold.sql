-- What was delivered stays delivered, however often the chart is drawn anew.
insert or replace into alerts.alerts by name
select found.*, earlier.delivered_at
from found_alerts as found
left join alerts.alerts as earlier using (alert_id)
