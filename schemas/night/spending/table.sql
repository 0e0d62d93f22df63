create schema if not exists night;
create table if not exists night.spending (
  day date not null,
  environment varchar,
  tenant varchar not null,
  what varchar not null check (what in ('verdicts', 'anchors', 'noise')),
  model varchar not null,
  calls bigint not null,
  prompt_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  completion_tokens bigint not null,
  cost double not null check (cost >= 0),
  spent_at timestamptz not null
);
comment on table night.spending is 'What a judge''s calls have cost, night by night, in the order in which they were stored; nothing is ever taken out';
comment on column night.spending.day is 'the night that the calls were made for, whenever that was';
comment on column night.spending.environment is 'null for frozen passages, which belong to none';
comment on column night.spending.cost is 'by the price table of that time, in its currency; 0 for a model on this machine';
