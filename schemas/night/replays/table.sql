create schema if not exists night;
create table if not exists night.replays (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  turns bigint not null,
  reach ubigint,
  is_whole boolean not null,
  primary key (day, environment, tenant)
);
comment on table night.replays is 'How much of the turns of a tenant the gate was replayed over; a night takes whole conversations, those of the smallest hash';
comment on column night.replays.turns is 'of the tenant on the day, replayed or not';
comment on column night.replays.reach is 'conversations of which the hash is no larger were replayed; null where all were';
comment on column night.replays.is_whole is 'whether all turns were asked for: no later night of the day replays fewer';
