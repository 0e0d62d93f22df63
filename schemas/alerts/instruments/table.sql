create schema if not exists alerts;
create table if not exists alerts.instruments (
  day date not null,
  instrument varchar not null,
  state varchar not null check (state in ('learning', 'ok', 'moved', 'no_data')),
  moved bigint not null check (moved between 0 and passages),
  passages bigint not null,
  unanswered bigint not null,
  usual double,
  score double,
  primary key (day, instrument)
);
comment on table alerts.instruments is 'The judge''s own chart: how the frozen passages that watch it were judged each night';
comment on column alerts.instruments.instrument is 'judge, model, rubric and a hash of how it is asked';
comment on column alerts.instruments.state is 'learning: too few nights to know what is usual; moved: the score has reached 180; no_data: no frozen passage was answered';
comment on column alerts.instruments.moved is 'passages whose verdict differs from their frozen first one';
comment on column alerts.instruments.passages is 'passages that were answered and have a first verdict to compare with';
comment on column alerts.instruments.unanswered is 'passages without an answer, whatever the status';
comment on column alerts.instruments.usual is 'the share that differs by chance; null while learning';
comment on column alerts.instruments.score is 'its Shiryaev-Roberts score; null while learning';
