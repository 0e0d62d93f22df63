create schema if not exists alerts;
create table if not exists alerts.anchors (
  day date not null,
  instrument varchar not null,
  judged bigint not null check (judged >= 0),
  differing bigint not null check (differing between 0 and judged),
  primary key (day, instrument)
);
create schema if not exists alerts;
create table if not exists alerts.charted (
  day date not null,
  environment varchar not null,
  outcome varchar not null check (outcome in ('charted', 'learning', 'incomplete', 'other_judge', 'missing')),
  score double,
  alarming boolean not null,
  baseline_first date,
  baseline_last date,
  baseline_nights integer not null,
  primary key (day, environment)
);
create schema if not exists night;
create table if not exists night.noise (
  day date not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  prompt_hash varchar not null,
  measured_at timestamptz not null,
  retrievals integer not null,
  passages integer not null,
  compared integer not null,
  query_moved integer not null,
  need_moved integer not null,
  irrelevant_before integer not null,
  irrelevant_after integer not null,
  standard_error double,
  primary key (day, judge, model, rubric_version, prompt_hash, measured_at)
);
