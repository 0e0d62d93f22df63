create schema if not exists alerts;
create table if not exists alerts.notices (
  notice_id varchar primary key,
  rule varchar not null,
  environment varchar not null,
  day date not null,
  opened date not null,
  what varchar not null check (what in ('opened', 'widened', 'recovered')),
  text varchar not null,
  due boolean not null,
  delivered_at timestamptz
);
create schema if not exists alerts;
create table if not exists alerts.alerts (
  alert_id varchar primary key,
  rule varchar not null check (rule in ('fleet', 'threshold')),
  environment varchar not null,
  tenant varchar not null,
  kind varchar not null,
  cell varchar not null,
  opened date not null,
  since date not null,
  last_day date not null,
  ended varchar check (ended in ('recovered', 'acknowledged')),
  instrument_moved boolean not null,
  part double,
  rate double,
  low double,
  high double,
  rate_before double,
  low_before double,
  high_before double,
  nights_before integer not null,
  fault varchar not null check (fault in ('query', 'retriever', 'both', 'unclear')),
  worst varchar[] not null
);
create schema if not exists marts;
create table if not exists marts.gate_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  turn varchar not null check (turn in ('all', 'first', 'later')),
  language varchar not null,
  measure varchar not null check (measure in ('decision', 'outcome')),
  value varchar not null,
  reason varchar not null,
  n bigint not null,
  total bigint not null,
  rate double not null check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  metric_version varchar not null,
  primary key (day, environment, tenant, turn, language, measure, value, reason)
);
