create schema if not exists marts;
create table if not exists marts.gate_population (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  language varchar not null,
  measure varchar not null check (measure in ('population', 'skip_cost')),
  value varchar not null,
  reason varchar not null,
  n bigint not null,
  total bigint not null,
  rate double not null check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  gate_version varchar not null,
  metric_version varchar not null,
  primary key (day, environment, tenant, language, measure, value, reason)
);
comment on table marts.gate_population is 'What this gate would do with the stored traffic: how many turns it would leave alone, combine, skip; replayed over all turns, or on a day of many turns over whole conversations of each tenant (night.replays tells of how many)';
comment on column marts.gate_population.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.gate_population.language is 'as the turn states it, else as the gate reads it, or * for all';
comment on column marts.gate_population.measure is 'population: what becomes of the turns that were replayed; skip_cost: what the skipped ones would be without the ten-character skip';
comment on column marts.gate_population.value is 'population: first (nothing to resolve from), as_typed (a later turn searched as it is), eligible (a follow-up, combined), correction, skipped, no_need, no_history (a later turn without a stored or substantive turn to combine with); skip_cost: a decision';
comment on column marts.gate_population.reason is 'the rule that decided, or * for all';
comment on column marts.gate_population.total is 'replayed turns of the slice, or skipped ones of it';
comment on column marts.gate_population.low is 'lower end of the 95 % interval, which respects that turns come in conversations';
comment on column marts.gate_population.high is 'upper end of the 95 % interval';
comment on column marts.gate_population.gate_version is 'of the gate that was replayed, several where the days differ';
