create schema if not exists ingest;
-- The raw log: every stored event, its bytes as they came. Append-only and without an index; see the ADR on duplicates.
create table if not exists ingest.events (
  day date not null,
  tenant varchar not null,
  event_id uuid not null,
  event_type varchar not null,
  environment varchar not null,
  occurred_at timestamptz not null,
  sent_at timestamptz,
  received_at timestamptz,
  producer_id varchar,
  sequence bigint check (sequence >= 0),
  conversation_id varchar,
  visitor_id varchar,
  digest blob not null,
  batch bigint not null,
  ordinal integer not null,
  partition varchar not null,
  "offset" bigint not null,
  raw blob not null using compression zstd
);
comment on table ingest.events is 'The raw log: every stored event, its bytes as they came';
comment on column ingest.events.day is 'UTC date of occurred_at as the client wrote it; duplicates are looked for within it';
comment on column ingest.events.digest is 'equal for two deliveries of one event';
comment on column ingest.events.batch is 'the transaction that stored it';
comment on column ingest.events.ordinal is 'its place in the batch';
comment on column ingest.events.partition is 'the stretch of a source that it came from: a file, a spool segment, a topic partition';
comment on column ingest.events."offset" is 'where it began there';
comment on column ingest.events.raw is 'the bytes as they came; zstd halves the file and costs less time than the search for another way';
