-- How many alerts of an environment have not ended, by rule.
select count(*) filter (rule = 'fleet') as fleet, count(*) filter (rule = 'threshold') as threshold
from alerts.alerts
where environment = $environment and ended is null
