create schema if not exists marts;
create table if not exists marts.relevance_strata (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  kind varchar not null,
  position varchar not null,
  slice varchar not null check (slice in ('all', 'kind', 'resolution', 'turn')),
  value varchar not null,
  measure varchar not null,
  frame_size bigint not null,
  sample_size bigint not null,
  retrievals bigint not null,
  passages bigint not null,
  hits bigint not null,
  passages_squared bigint not null,
  hits_squared bigint not null,
  hits_passages bigint not null,
  missing bigint not null,
  pending bigint not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  primary key (day, environment, tenant, kind, position, slice, value, measure)
);
comment on table marts.relevance_strata is 'What the sample of a day says, as sums per stratum; the sums of several days add up, and every published rate is made from them';
comment on column marts.relevance_strata.kind is 'stratum: the kind of all passages of the retrieval, or mixed';
comment on column marts.relevance_strata.position is 'stratum: first, later_as_typed, combined, unknown';
comment on column marts.relevance_strata.slice is 'by what the passages are picked out: all of them, or by their kind, the resolution of their query, or the turn (first or later)';
comment on column marts.relevance_strata.measure is 'what counts as a hit: irrelevant_query, irrelevant_need, or a fault';
comment on column marts.relevance_strata.frame_size is 'retrievals in the stratum';
comment on column marts.relevance_strata.sample_size is 'retrievals drawn from it; frame_size / sample_size is the weight of each';
comment on column marts.relevance_strata.retrievals is 'drawn retrievals with a judged passage in the slice';
comment on column marts.relevance_strata.passages is 'judged passages';
comment on column marts.relevance_strata.hits is 'judged passages that have the measure';
comment on column marts.relevance_strata.passages_squared is 'sum over retrievals of their judged passages squared';
comment on column marts.relevance_strata.hits_squared is 'sum over retrievals of their hits squared';
comment on column marts.relevance_strata.hits_passages is 'sum over retrievals of hits times judged passages';
comment on column marts.relevance_strata.missing is 'passages of drawn retrievals without a grade, for whatever reason';
comment on column marts.relevance_strata.pending is 'those of them that may still get one: the night is incomplete';
