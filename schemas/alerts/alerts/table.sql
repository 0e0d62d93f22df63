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
comment on table alerts.alerts is 'Rises of irrelevance that are more than noise, one row each from its first night on; delivered once';
comment on column alerts.alerts.alert_id is 'a digest of rule, environment, tenant, slice and first night: the same rise is the same alert in every re-run';
comment on column alerts.alerts.since is 'the first night of the rise';
comment on column alerts.alerts.last_day is 'the last night on which it stood';
comment on column alerts.alerts.rate is 'irrelevant_need on the last night, with its interval in low and high';
comment on column alerts.alerts.rate_before is 'the rate over the nights before the rise';
comment on column alerts.alerts.fault is 'which half grew more: the query or the retriever';
comment on column alerts.alerts.worst is 'retrievals to read first';
comment on column alerts.alerts.delivered_at is 'when someone was told; null until then, and for ever if it was old news when it was found';
