create schema if not exists experiments;
create table if not exists experiments.scores (
  run_id varchar not null,
  strategy varchar not null,
  item_id varchar not null,
  repetition integer not null,
  measure varchar not null,
  score double,
  primary key (run_id, strategy, item_id, repetition, measure)
);
comment on table experiments.scores is 'Scores of the completed results';
comment on column experiments.scores.score is 'null where the measure has no value, such as the place of the first relevant passage where none was found';
