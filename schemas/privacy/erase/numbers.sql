-- The numbers of what will be deleted; the salt is there already.
insert into privacy.erased_numbers by name
select tenant, environment, sha256(concat_ws(chr(31), settings.value, tenant, 'producer', producer_id)) as producer, sequence,
  reference.day_of(reference.true_instant(occurred_at, sent_at, received_at)) as day
from ingest.events, ops.settings as settings
where settings.name = 'erasure_salt' and tenant = $tenant and sequence is not null
  and event_id in (select event_id from erasing_events)
