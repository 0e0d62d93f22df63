create schema if not exists canonical;
create table if not exists canonical.conversions (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar,
  visitor_id varchar,
  conversion_id varchar not null,
  kind varchar not null,
  value double,
  currency varchar
);
comment on table canonical.conversions is 'Conversions';
comment on column canonical.conversions.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.conversions.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
