create schema if not exists marts;
create table if not exists marts.fault_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  slice varchar not null,
  value varchar not null,
  fault varchar not null check (fault in ('ok', 'query', 'retriever', 'lucky')),
  rate double check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  passages bigint not null,
  retrievals bigint not null,
  effective_n double,
  hits bigint not null,
  coverage double not null check (coverage between 0 and 1),
  best double not null check (best between 0 and 1),
  worst double not null check (worst between 0 and 1),
  pending bigint not null,
  metric_version varchar not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  primary key (day, environment, tenant, slice, value, fault)
);
comment on table marts.fault_daily is 'Which half broke: each judged passage by its two grades, against the searched query and against the need; the four shares add up to one';
comment on column marts.fault_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.fault_daily.slice is 'all, kind (of the passage), resolution (of the query) or turn (first or later)';
comment on column marts.fault_daily.fault is 'ok: fits the searched query and the need; query: fits the query and not the need; retriever: fits neither; lucky: fits the need alone';
comment on column marts.fault_daily.rate is 'share of passages, weighted to all retrievals of the day; null while drawn retrievals lack a verdict';
comment on column marts.fault_daily.low is 'lower end of the 95 % interval, which respects that passages come in retrievals';
comment on column marts.fault_daily.high is 'upper end of the 95 % interval';
comment on column marts.fault_daily.passages is 'judged passages';
comment on column marts.fault_daily.retrievals is 'retrievals with a judged passage';
comment on column marts.fault_daily.effective_n is 'how many independent passages the sample is worth';
comment on column marts.fault_daily.hits is 'judged passages of this fault, unweighted';
comment on column marts.fault_daily.coverage is 'weighted share of sampled passages that have a grade';
comment on column marts.fault_daily.best is 'the share if no passage without a grade were of this fault';
comment on column marts.fault_daily.worst is 'the share if every passage without a grade were of this fault';
comment on column marts.fault_daily.pending is 'sampled passages that may still get a grade: above 0 the night is incomplete';
