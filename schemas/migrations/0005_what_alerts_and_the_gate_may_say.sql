-- Alerts that faded, notices without the retrievals in their text, turns of unknown position, decisions that were replayed: three
-- tables whose columns or checks have grown. Alerts are derived from the marts, and made anew by the next night.
drop table if exists alerts.alerts;

create schema if not exists alerts;
alter table if exists alerts.notices rename to notices_before;
create table if not exists alerts.notices_before (notice_id varchar);
alter table alerts.notices_before add column if not exists tenants varchar[];
alter table alerts.notices_before add column if not exists worst varchar[];
create table alerts.notices (
  notice_id varchar primary key,
  rule varchar not null,
  environment varchar not null,
  day date not null,
  opened date not null,
  what varchar not null check (what in ('opened', 'widened', 'recovered')),
  text varchar not null,
  tenants varchar[] not null,
  worst varchar[] not null,
  due boolean not null,
  delivered_at timestamptz
);
-- of one that does not say whom it is about, all tenants are supposed
insert into alerts.notices by name
select * replace (coalesce(tenants, ['*']) as tenants, coalesce(worst, []) as worst) from alerts.notices_before;
drop table alerts.notices_before;

create schema if not exists marts;
alter table if exists marts.gate_daily rename to gate_daily_before;
create table if not exists marts.gate_daily_before (day date);
create table marts.gate_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  turn varchar not null check (turn in ('all', 'first', 'later', 'unknown')),
  language varchar not null,
  measure varchar not null check (measure in ('decision', 'replayed', 'disagreement', 'outcome')),
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
insert into marts.gate_daily by name from marts.gate_daily_before;
drop table marts.gate_daily_before;
