-- Rows of which a day has as many as it has turns: a key costs more to keep than all the rest of storing them, and a day is replaced whole.
create schema if not exists night;
alter table if exists night.disclaims rename to disclaims_before;
create table night.disclaims (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  disclaimed varchar not null check (disclaimed in ('yes', 'no', 'partial')),
  language varchar,
  phrase varchar
);
create table if not exists night.disclaims_before as from night.disclaims limit 0;
insert into night.disclaims by name from night.disclaims_before;
drop table night.disclaims_before;
alter table if exists night.replayed_decisions rename to replayed_decisions_before;
create table night.replayed_decisions (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  decision varchar not null check (decision in ('skip', 'substantive', 'follow_up', 'correction', 'no_need')),
  reason varchar not null,
  would_be varchar not null check (would_be in ('substantive', 'follow_up', 'correction', 'no_need')),
  would_be_reason varchar not null,
  combined_with varchar,
  language varchar not null,
  gate_version varchar not null,
  check (decision = 'skip' or (would_be = decision and would_be_reason = reason)),
  check (combined_with is null or decision = 'follow_up')
);
create table if not exists night.replayed_decisions_before as from night.replayed_decisions limit 0;
insert into night.replayed_decisions by name from night.replayed_decisions_before;
drop table night.replayed_decisions_before;
alter table if exists night.dated_questions rename to dated_questions_before;
create table night.dated_questions (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  names varchar not null check (names in ('window', 'unread', 'none')),
  phrases varchar[] not null
);
create table if not exists night.dated_questions_before as from night.dated_questions limit 0;
insert into night.dated_questions by name from night.dated_questions_before;
drop table night.dated_questions_before;
