create schema if not exists night;
create table if not exists night.passage_verdicts (
  tenant varchar not null,
  verdict_key varchar not null,
  ordinal integer not null,
  passage_id varchar not null,
  status varchar not null,
  query_grade tinyint check (query_grade between 0 and 3),
  need_grade tinyint check (need_grade between 0 and 3),
  evidence varchar,
  primary key (tenant, verdict_key, ordinal),
  check ((status = 'judged') = (query_grade is not null and need_grade is not null))
);
comment on table night.passage_verdicts is 'The grades of each passage, or the status that says why there are none; a missing grade is never a zero';
