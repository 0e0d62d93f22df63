create schema if not exists night;
create table if not exists night.judge_errors (
  measure varchar not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  shift double not null,
  shift_se double not null check (shift_se >= 0),
  labelled bigint not null,
  labels_hash varchar not null,
  measured_at timestamptz not null,
  primary key (measure, judge, model, rubric_version)
);
comment on table night.judge_errors is 'How far a judge''s irrelevant rate is from people''s, measured on labelled passages (nightcheck judge agreement --store)';
comment on column night.judge_errors.measure is 'irrelevant_query or irrelevant_need';
comment on column night.judge_errors.shift is 'people''s rate less the judge''s, over the labelled passages, weighted to all retrievals';
comment on column night.judge_errors.shift_se is 'its standard error, from whole retrievals';
