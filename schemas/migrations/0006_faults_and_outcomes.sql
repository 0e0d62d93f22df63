-- Which half broke has a mart of its own; what was published moves there. The share that was ok is known when a day is made again.
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
insert into marts.fault_daily by name
select * exclude (measure, corrected, corrected_low, corrected_high), measure[7:] as fault
from marts.relevance_daily where starts_with(measure, 'fault_');
delete from marts.relevance_daily where starts_with(measure, 'fault_');
-- What was at hand for an answer is in marts.answer_outcomes_daily, made from the verdicts when a day is made again.
alter table if exists marts.disclaim_daily drop column if exists disclaimed_with_useful;
alter table if exists marts.disclaim_daily drop column if exists disclaimed_without_useful;
alter table if exists marts.disclaim_daily drop column if exists answered_with_useful;
alter table if exists marts.disclaim_daily drop column if exists answered_without_useful;
