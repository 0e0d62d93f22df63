create schema if not exists canonical;
create table if not exists canonical.passages (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar not null,
  visitor_id varchar,
  retrieval_id varchar not null,
  ordinal integer not null check (ordinal >= 1),
  passage_id varchar not null,
  kind varchar not null check (kind in ('conversation', 'document', 'graph')),
  text varchar,
  rank integer not null check (rank >= 1),
  score double,
  title varchar,
  source_id varchar,
  source_date varchar,
  channel varchar
);
comment on table canonical.passages is 'Passages in the order of their ranks; ordinal counts them from 1, whatever ranks were reported';
comment on column canonical.passages.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.passages.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
comment on column canonical.passages.text is 'null where the application hides it';
