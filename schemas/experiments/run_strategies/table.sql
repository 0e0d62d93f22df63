create schema if not exists experiments;
create table if not exists experiments.run_strategies (
  run_id varchar not null,
  position integer not null,
  strategy varchar not null,
  version varchar not null,
  summary varchar not null,
  primary key (run_id, strategy)
);
comment on table experiments.run_strategies is 'What each run compares, in the order in which it was named';
comment on column experiments.run_strategies.version is 'digest of the code and the model that decide what is searched';
