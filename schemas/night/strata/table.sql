create schema if not exists night;
create table if not exists night.strata (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  kind varchar not null,
  position varchar not null check (position in ('first', 'later_as_typed', 'combined', 'unknown')),
  frame_size bigint not null check (frame_size >= 1),
  sample_size bigint not null check (sample_size between 0 and frame_size),
  primary key (day, environment, tenant, kind, position)
);
comment on table night.strata is 'How many retrievals each stratum had and how many were drawn; their ratio is the weight of each drawn one';
comment on column night.strata.kind is 'the kind of all passages of the retrieval, or mixed';
comment on column night.strata.position is 'first turn; later turn searched as typed; later turn searched as anything else; turn not known';
