create schema if not exists alerts;
create table if not exists alerts.alerts (
  alert_id varchar primary key,
  rule varchar not null,
  environment varchar not null,
  tenant varchar not null,
  slice varchar not null,
  value varchar not null,
  since date not null,
  last_day date not null,
  rate double not null,
  low double,
  high double,
  rate_before double not null,
  nights_before integer not null,
  fault varchar not null check (fault in ('query', 'retriever')),
  worst varchar[] not null,
  delivered_at timestamptz
);
