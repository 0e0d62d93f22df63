create schema if not exists night;
create table if not exists night.anchor_verdicts (
  day date not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  prompt_hash varchar not null,
  tenant varchar not null,
  retrieval_id varchar not null,
  ordinal integer not null,
  status varchar not null,
  query_grade tinyint check (query_grade between 0 and 3),
  need_grade tinyint check (need_grade between 0 and 3),
  judged_at timestamptz not null,
  primary key (day, judge, model, rubric_version, prompt_hash, tenant, retrieval_id, ordinal),
  check ((status = 'judged') = (query_grade is not null and need_grade is not null))
);
comment on table night.anchor_verdicts is 'What the judge said of each frozen passage each night';
