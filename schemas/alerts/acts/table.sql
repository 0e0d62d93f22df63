create schema if not exists alerts;
create table if not exists alerts.acts (
  environment varchar not null,
  day date not null,
  what varchar not null check (what in ('acknowledge', 'baseline')),
  since date,
  note varchar,
  acted_at timestamptz not null,
  primary key (environment, day, what)
);
comment on table alerts.acts is 'What people did about alarms: acknowledged them, or accepted a new baseline';
comment on column alerts.acts.environment is '* for the judge, which judges all environments: its own chart starts anew';
comment on column alerts.acts.day is 'the night after which it holds';
comment on column alerts.acts.since is 'of a baseline: the first night that it may be measured from';
