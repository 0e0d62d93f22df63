create schema if not exists canonical;
create table if not exists canonical.page_views (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar,
  visitor_id varchar,
  page_id varchar not null,
  path varchar not null,
  referrer varchar
);
comment on table canonical.page_views is 'Page views';
comment on column canonical.page_views.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.page_views.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
