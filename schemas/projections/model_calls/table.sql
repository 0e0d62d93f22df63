create schema if not exists canonical;
create table if not exists canonical.model_calls (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar,
  visitor_id varchar,
  call_id varchar not null,
  turn_id varchar,
  purpose varchar not null,
  provider varchar not null,
  model varchar not null,
  prompt_tokens integer not null,
  cached_tokens integer,
  completion_tokens integer not null,
  latency_ms double,
  first_token_ms double,
  segments struct(name varchar, hash varchar, tokens integer)[] not null
);
comment on table canonical.model_calls is 'Calls of language models';
comment on column canonical.model_calls.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.model_calls.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
