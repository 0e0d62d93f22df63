create schema if not exists experiments;
create table if not exists experiments.results (
  run_id varchar not null,
  strategy varchar not null,
  item_id varchar not null,
  repetition integer not null,
  error varchar,
  unscored varchar,
  input_hash varchar not null,
  fired boolean not null,
  skipped boolean not null,
  passage_ids varchar[] not null,
  findings varchar[] not null,
  calls integer not null,
  prompt_tokens bigint,
  completion_tokens bigint,
  latency_ms double,
  primary key (run_id, strategy, item_id, repetition)
);
comment on table experiments.results is 'What became of each item under each strategy, and what it cost';
comment on column experiments.results.error is 'why it has not completed; a run with any is failed';
comment on column experiments.results.unscored is 'why a completed one has no scores';
comment on column experiments.results.input_hash is 'digest of what was searched; the control''s where the strategy declined';
comment on column experiments.results.latency_ms is 'time that the strategy added before the search';
