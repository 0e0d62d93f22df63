insert into ingest.events by name
select date '2026-01-01' + (i // 100000)::integer as day, 'help-' || i % 7 || '.example.com' as tenant, uuid() as event_id, 'turn' as event_type,
  'production' as environment, timestamptz '2026-01-01 00:00:00+00' + to_milliseconds(i * 864) as occurred_at,
  'web-' || i % 4 as producer_id, i // 4 as sequence, 'c-' || i // 5 as conversation_id, 'v-' || i // 9 as visitor_id,
  unhex(md5(i::varchar)) as digest, i // 10000 as batch, (i % 10000)::integer as ordinal, 'fill' as partition, i as "offset",
  'short'::blob as raw
from range($rows) as numbers (i);
