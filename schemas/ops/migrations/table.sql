create schema if not exists ops;
create table if not exists ops.migrations (
  name varchar primary key
);
comment on table ops.migrations is 'Migrations that were applied';
