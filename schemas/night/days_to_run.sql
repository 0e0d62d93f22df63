-- Days that have events and no finished night, or events that came after it.
select touched.day
from (select day, max(batch) as last_batch from ingest.batch_days group by day) as touched
left join night.nights as night using (day)
where touched.day between $first and $last
  and (night.day is null or not night.published or touched.last_batch > night.watermark)
order by touched.day
