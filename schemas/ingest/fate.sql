-- What becomes of each event of a batch: new, duplicate, conflict, or erased (of someone whose tombstone is here). A resent event
-- carries the time that it carried before, so it
-- is enough to look within the days of the batch, which keeps this flat as the log grows.
with incoming as (
  select place, day, tenant, event_id::uuid as event_id, digest from batch_events
),
repeated as (
  select tenant, event_id, min(place) as first_place, arg_min(digest, place) as first_digest
  from incoming
  group by tenant, event_id
  having count(*) > 1
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
  -- mostly nobody was erased, and then there is nothing to look for
  select place, tenant, 'visitor' as kind, visitor_id as id from batch_events
  where visitor_id is not null and exists (from privacy.tombstones)
  union all
  select place, tenant, 'conversation', conversation_id from batch_events
  where visitor_id is null and conversation_id is not null and exists (from privacy.tombstones)
  union all
  select place, tenant, 'event', event_id::uuid::varchar from batch_events where exists (from privacy.tombstones)
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
select incoming.place,
  case
    when erased.place is not null then 'erased'
    when stored.event_id is not null then if(stored.digest = incoming.digest, 'duplicate', 'conflict')
    when repeated.first_place is null or repeated.first_place = incoming.place then 'new'
    when repeated.first_digest = incoming.digest then 'duplicate'
    else 'conflict'
  end as fate
from incoming
left join repeated using (tenant, event_id)
left join stored using (tenant, event_id)
left join erased on erased.place = incoming.place
