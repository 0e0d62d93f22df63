create schema if not exists experiments;
create table if not exists experiments.runs (
  run_id varchar not null primary key,
  design varchar not null,
  dataset varchar not null,
  dataset_hash varchar not null,
  control varchar not null,
  retriever varchar not null,
  judge varchar not null,
  harness_version varchar not null,
  k integer not null check (k > 0),
  repetitions integer not null check (repetitions > 0),
  expected bigint not null check (expected > 0),
  started_at timestamptz not null,
  finished_at timestamptz
);
comment on table experiments.runs is 'Experiments that were begun; one without finished_at misses items and says nothing about any strategy';
comment on column experiments.runs.design is 'digest of items, strategies, instrument and harness: equal for two runs of one experiment';
comment on column experiments.runs.harness_version is 'digest of all between a plan and a figure; a favourable result is unconfirmed until it is repeated under the newest';
comment on column experiments.runs.expected is 'how many results the run must have: items by strategies by repetitions';
