create schema if not exists marts;
create table if not exists marts.relevance_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  slice varchar not null,
  value varchar not null,
  measure varchar not null,
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
  corrected double,
  corrected_low double,
  corrected_high double,
  primary key (day, environment, tenant, slice, value, measure)
);
comment on table marts.relevance_daily is 'The nightly relevance mart: how much of what was retrieved was irrelevant, with honest intervals';
comment on column marts.relevance_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.relevance_daily.slice is 'all, kind (of the passage), resolution (of the query) or turn (first or later)';
comment on column marts.relevance_daily.measure is 'irrelevant_query and irrelevant_need: nothing to do with the searched query, with the need; what the two say together is in marts.fault_daily';
comment on column marts.relevance_daily.rate is 'share of passages, weighted to all retrievals of the day; null while drawn retrievals lack a verdict';
comment on column marts.relevance_daily.low is 'lower end of the 95 % interval, which respects that passages come in retrievals';
comment on column marts.relevance_daily.high is 'upper end of the 95 % interval';
comment on column marts.relevance_daily.passages is 'judged passages';
comment on column marts.relevance_daily.retrievals is 'retrievals with a judged passage';
comment on column marts.relevance_daily.effective_n is 'how many independent passages the sample is worth';
comment on column marts.relevance_daily.hits is 'judged passages that have the measure, unweighted';
comment on column marts.relevance_daily.coverage is 'weighted share of sampled passages that have a grade';
comment on column marts.relevance_daily.best is 'the rate if no passage without a grade had the measure';
comment on column marts.relevance_daily.worst is 'the rate if every passage without a grade had the measure';
comment on column marts.relevance_daily.pending is 'sampled passages that may still get a grade: above 0 the night is incomplete';
comment on column marts.relevance_daily.corrected is 'the rate plus the judge''s mean error on passages that people labelled; null until that was measured';
comment on column marts.relevance_daily.corrected_low is 'lower end of its 95 % interval, from the sample and from the labels';
comment on column marts.relevance_daily.corrected_high is 'upper end of its 95 % interval';
