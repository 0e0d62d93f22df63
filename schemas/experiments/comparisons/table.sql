create schema if not exists experiments;
create table if not exists experiments.comparisons (
  run_id varchar not null,
  strategy varchar not null,
  measure varchar not null,
  items bigint not null,
  clusters bigint not null,
  control_mean double not null,
  mean double not null,
  difference double not null,
  low double,
  high double,
  method varchar,
  within double,
  smallest_detectable double,
  wins bigint not null,
  losses bigint not null,
  ties bigint not null,
  p_sign double not null,
  p_permutation double not null,
  p_holm double not null,
  outcome varchar not null,
  primary key (run_id, strategy, measure)
);
comment on table experiments.comparisons is 'Each strategy against the control of its run, paired by item; only of complete runs';
comment on column experiments.comparisons.low is 'lower end of the 95 % interval of the difference, from resampling whole conversations';
comment on column experiments.comparisons.within is 'the smallest margin that holds the true difference with 95 % confidence';
comment on column experiments.comparisons.smallest_detectable is 'the difference that so many items of this spread show with a power of 80 %';
comment on column experiments.comparisons.outcome is 'better, worse, equivalent, unresolved or control moved';
