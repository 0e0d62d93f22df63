create schema if not exists night;
create table if not exists night.nights (
  day date primary key,
  environments varchar[] not null,
  frame_hash varchar not null,
  frame_size bigint not null,
  sample_size bigint not null,
  seed varchar not null,
  cap integer,
  watermark bigint not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  prompt_hash varchar not null,
  disclaim_version varchar not null,
  published boolean not null
);
comment on table night.nights is 'One row per night that was run: its frame, its sample, its judge';
comment on column night.nights.frame_hash is 'equal for equal frames: the ids of all retrievals that could have been drawn, with their strata';
comment on column night.nights.cap is 'retrievals per tenant at most; null for all';
comment on column night.nights.watermark is 'the last batch that the night saw; a later one that touched the day makes it dirty';
comment on column night.nights.published is 'whether the marts of the day were made to the end';
