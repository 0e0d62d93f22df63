-- What becomes of each event of a batch: new, duplicate or conflict. A resent event carries the time that it carried before, so it
-- is enough to look within the days of the batch, which keeps this flat as the log grows.
with incoming as (
  select place, day, tenant, event_id::uuid as event_id, digest from batch_events
),
ranked as (
  select *,
    first_value(place) over same as first_place,
    first_value(digest) over same as first_digest
  from incoming
  window same as (partition by tenant, event_id order by place)
),
stored as (
  select tenant, event_id, min(digest) as digest
  from ingest.events
  where day between (select min(day) from incoming) and (select max(day) from incoming)
    and day in (select day from incoming)
    and event_id in (select event_id from incoming)
  group by tenant, event_id
)
select ranked.place,
  case
    when stored.event_id is not null then if(stored.digest = ranked.digest, 'duplicate', 'conflict')
    when ranked.place = ranked.first_place then 'new'
    when ranked.digest = ranked.first_digest then 'duplicate'
    else 'conflict'
  end as fate
from ranked left join stored using (tenant, event_id)
