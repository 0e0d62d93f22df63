create schema if not exists night;
create table if not exists night.sample (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  retrieval_id varchar not null,
  event_id uuid not null,
  turn_id varchar not null,
  turn_index integer,
  conversation_id varchar not null,
  visitor_id varchar,
  kind varchar not null,
  position varchar not null,
  resolution varchar not null,
  u double not null check (u >= 0 and u <= 1),
  probability double not null check (probability > 0 and probability <= 1),
  verdict_key varchar,
  primary key (day, environment, tenant, retrieval_id)
);
comment on table night.sample is 'The retrievals that were drawn, each with its inclusion probability and the verdict on it';
comment on column night.sample.u is 'permanent random number: a hash of seed, tenant and retrieval; the smallest of a stratum are drawn';
comment on column night.sample.verdict_key is 'which verdict; null until the judge was asked';
