create schema if not exists ingest;
create table if not exists ingest.positions (
  partition varchar primary key,
  "offset" bigint not null check ("offset" >= 0),
  mark varchar
);
comment on table ingest.positions is 'How far each partition has been read; written in the transaction of its rows';
comment on column ingest.positions."offset" is 'the next byte or record to read';
comment on column ingest.positions.mark is 'tells whether the partition is still the one that was read: a fingerprint of a file, the id of a topic';
