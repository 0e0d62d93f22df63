insert into ingest.repeats by name
select $batch as batch, days.day, environment, tenant, producer_id, fate, count(*) as events
from batch_events join batch_fates using (place) join batch_days as days using (place)
where fate in ('duplicate', 'conflict')
group by all
order by all
