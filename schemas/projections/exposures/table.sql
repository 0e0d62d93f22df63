create schema if not exists canonical;
create table if not exists canonical.exposures (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar,
  visitor_id varchar,
  experiment varchar not null,
  variant varchar not null,
  unit_id varchar not null
);
comment on table canonical.exposures is 'Exposures to the variants of experiments';
comment on column canonical.exposures.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.exposures.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
