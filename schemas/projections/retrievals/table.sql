create schema if not exists canonical;
create table if not exists canonical.retrievals (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar not null,
  visitor_id varchar,
  retrieval_id varchar not null,
  turn_id varchar not null,
  outcome varchar not null check (outcome in ('searched', 'skipped', 'failed')),
  reason varchar,
  message varchar,
  searched_query varchar,
  resolution varchar check (resolution in ('as_typed', 'combined', 'rewritten', 'keywords', 'structured')),
  keywords_high varchar[],
  keywords_low varchar[],
  channels varchar[] not null,
  k integer,
  latency_ms double,
  window_start timestamptz,
  window_end timestamptz,
  pins struct(item_id varchar, item_type varchar, "text" varchar, "at" timestamptz)[] not null,
  passage_count integer check (passage_count >= 0),
  check ((outcome = 'searched') = (passage_count is not null))
);
comment on table canonical.retrievals is 'Retrievals: what was searched, or why nothing was';
comment on column canonical.retrievals.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.retrievals.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
comment on column canonical.retrievals.passage_count is 'null unless searched; 0 for a search that found nothing, which is not the same as skipped';
