create schema if not exists night;
create table if not exists night.dated_questions (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  names varchar not null check (names in ('window', 'unread', 'none')),
  phrases varchar[] not null,
  primary key (day, environment, tenant, event_id)
);
create schema if not exists night;
create table if not exists night.disclaims (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  disclaimed varchar not null check (disclaimed in ('yes', 'no', 'partial')),
  language varchar,
  phrase varchar,
  primary key (day, environment, tenant, event_id)
);
create schema if not exists night;
create table if not exists night.replayed_decisions (
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
  primary key (day, environment, tenant, event_id),
  check (decision = 'skip' or (would_be = decision and would_be_reason = reason)),
  check (combined_with is null or decision = 'follow_up')
);
