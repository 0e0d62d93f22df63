create schema if not exists ingest;
create sequence if not exists ingest.quarantine_ids;
create table if not exists ingest.quarantine (
  id bigint not null default nextval('ingest.quarantine_ids'),
  partition varchar not null,
  "offset" bigint not null,
  batch bigint not null,
  reason varchar not null,
  path varchar not null,
  message varchar not null,
  digest blob not null,
  raw blob not null,
  quarantined_at timestamptz not null,
  released_by bigint
);
comment on table ingest.quarantine is 'Records that are no events, with the reason; their bytes wait to be replayed after a fix';
comment on column ingest.quarantine.path is 'JSON path of the fault';
comment on column ingest.quarantine.released_by is 'the batch in which a replay accepted the record; null while it waits';
