insert into ingest.batch_days by name
select fates.batch, days.day, count(*) as events
from batch_days as days
join batch_fates as fates using (place)
group by all
order by all
