create schema if not exists alerts;
create table if not exists alerts.charts (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  kind varchar not null,
  cell varchar not null,
  state varchar not null check (state in ('learning', 'ok', 'rising', 'alarming', 'instrument_moved', 'no_data')),
  score double,
  retrievals bigint not null,
  primary key (day, environment, tenant, kind, cell)
);
comment on table alerts.charts is 'The chart of every slice after every night';
comment on column alerts.charts.state is 'learning: too few nights; rising: alone it would call; alarming: an alarm names it; no_data: no judged retrieval that night';
comment on column alerts.charts.score is 'natural logarithm of its Shiryaev-Roberts score; null while learning';
