-- What becomes of each event of a batch: new, duplicate, conflict, or erased (of someone whose tombstone is here). A resent event
-- carries the time that it carried before, so it
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
),
ids as (
  select place, tenant, 'visitor' as kind, visitor_id as id from batch_events where visitor_id is not null
  union all
  select place, tenant, 'conversation', conversation_id from batch_events where visitor_id is null and conversation_id is not null
  union all
  select place, tenant, 'event', event_id::uuid::varchar from batch_events
),
erased as (
  select distinct ids.place
  from ids
  cross join (select value as salt from ops.settings where name = 'erasure_salt') as settings
  join privacy.tombstones as stone
    on stone.tenant = ids.tenant
    and stone.kind = ids.kind
    and stone.digest = sha256(concat_ws(chr(31), settings.salt, ids.tenant, ids.kind, ids.id))
)
select ranked.place,
  case
    when erased.place is not null then 'erased'
    when stored.event_id is not null then if(stored.digest = ranked.digest, 'duplicate', 'conflict')
    when ranked.place = ranked.first_place then 'new'
    when ranked.digest = ranked.first_digest then 'duplicate'
    else 'conflict'
  end as fate
from ranked left join stored using (tenant, event_id) left join erased on erased.place = ranked.place
