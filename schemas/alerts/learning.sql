-- Of an environment's charts after its newest night: how many are still learning, of how many, and how many nights they may learn from.
with baseline as (
  from alerts.acts where environment = $environment and what = 'baseline' order by day desc, acted_at desc limit 1
)
select count(*) filter (day = newest and state = 'learning') as learning, count(*) filter (day = newest) as charts,
  count(distinct day) filter (day >= coalesce((select since from baseline), day)) as nights
from alerts.charts, (select max(day) as newest from alerts.charts where environment = $environment)
where environment = $environment
