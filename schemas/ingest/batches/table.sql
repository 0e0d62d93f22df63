create schema if not exists ingest;
create table if not exists ingest.batches (
  batch bigint primary key,
  source varchar not null,
  committed_at timestamptz not null,
  consumed bigint not null,
  stored bigint not null,
  duplicates bigint not null,
  conflicts bigint not null,
  quarantined bigint not null,
  erased bigint not null,
  check (consumed = stored + duplicates + conflicts + quarantined + erased)
);
comment on table ingest.batches is 'One row per transaction of the ingester: what became of every record, by the conservation law';
