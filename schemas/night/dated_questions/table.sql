create schema if not exists night;
create table if not exists night.dated_questions (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  names varchar not null check (names in ('window', 'unread', 'none')),
  phrases varchar[] not null
);
comment on table night.dated_questions is 'Whether the message behind each search names a time, as this parser of time phrases reads it, whatever was searched';
comment on column night.dated_questions.event_id is 'the retrieval''s event';
comment on column night.dated_questions.names is 'window: phrases that have a time in common; unread: a time word, and no window; none: no time word';
comment on column night.dated_questions.phrases is 'what was read';
