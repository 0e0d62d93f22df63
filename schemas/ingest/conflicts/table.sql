create schema if not exists ingest;
create table if not exists ingest.conflicts (
  tenant varchar not null,
  event_id uuid not null,
  day date not null,
  visitor_id varchar,
  digest blob not null,
  batch bigint not null,
  partition varchar not null,
  "offset" bigint not null,
  raw blob not null
);
comment on table ingest.conflicts is 'Deliveries that carry the id of a stored event and other content; kept, counted and never projected';
