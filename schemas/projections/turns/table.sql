create schema if not exists canonical;
create table if not exists canonical.turns (
  day date not null,
  tenant varchar not null,
  environment varchar not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  conversation_id varchar not null,
  visitor_id varchar,
  turn_id varchar not null,
  turn_index integer not null check (turn_index >= 0),
  message varchar not null,
  language varchar,
  answer varchar,
  gate_decision varchar check (gate_decision in ('skip', 'substantive', 'follow_up', 'correction', 'no_need')),
  gate_reason varchar,
  gate_version varchar,
  combined_with varchar,
  latency_ms double,
  model varchar
);
comment on table canonical.turns is 'Turns: what a visitor typed, the answer, the gate''s decision';
comment on column canonical.turns.day is 'date of occurred_at in the time zone of the warehouse';
comment on column canonical.turns.occurred_at is 'the true instant: the client''s clock, corrected where it was clearly off';
