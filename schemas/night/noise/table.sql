create schema if not exists night;
create table if not exists night.noise (
  day date not null,
  environment varchar not null,
  measure varchar not null check (measure in ('irrelevant_query', 'irrelevant_need')),
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  prompt_hash varchar not null,
  measured_at timestamptz not null,
  retrievals integer not null,
  passages integer not null,
  compared integer not null,
  moved integer not null,
  irrelevant_before integer not null,
  irrelevant_after integer not null,
  standard_error double,
  primary key (day, environment, measure, judge, model, rubric_version, prompt_hash, measured_at)
);
comment on table night.noise is 'The noise floor: how far a day moves when the same sample is judged again';
comment on column night.noise.measure is 'which of the two grades: against the searched query, or against the need';
comment on column night.noise.compared is 'passages with grades both times';
comment on column night.noise.moved is 'of these, with another grade';
comment on column night.noise.irrelevant_before is 'of these, irrelevant the first time';
comment on column night.noise.standard_error is 'of the difference of the two irrelevant rates, clustered by retrieval; null for a single retrieval';
