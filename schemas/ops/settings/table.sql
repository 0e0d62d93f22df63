create schema if not exists ops;
create table if not exists ops.settings (
  name varchar primary key,
  value varchar not null
);
comment on table ops.settings is 'What the warehouse was made with and cannot change without a rebuild: its time zone, the fingerprint of its contract';
