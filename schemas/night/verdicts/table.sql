create schema if not exists night;
create table if not exists night.verdicts (
  tenant varchar not null,
  verdict_key varchar not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  prompt_hash varchar not null,
  status varchar not null,
  is_final boolean not null,
  need varchar,
  needs_retrieval boolean,
  sufficient boolean,
  calls integer not null,
  prompt_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  completion_tokens bigint not null,
  response_model varchar,
  detail varchar,
  judged_at timestamptz not null,
  primary key (tenant, verdict_key)
);
comment on table night.verdicts is 'Verdicts by the content that was judged: the same question is asked, and paid for, once';
comment on column night.verdicts.is_final is 'false where asking again may bring a verdict';
