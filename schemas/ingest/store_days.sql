insert into ingest.batch_days by name
select $batch as batch, day, count(*) as events
from batch_days
where place in (select place from batch_fates where fate = 'new')
group by day
order by day
