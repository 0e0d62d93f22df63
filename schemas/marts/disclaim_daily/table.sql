create schema if not exists marts;
create table if not exists marts.disclaim_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  turn varchar not null check (turn in ('all', 'first', 'later')),
  language varchar not null,
  answers bigint not null,
  disclaimed bigint not null,
  partly bigint not null,
  rate double not null check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  metric_version varchar not null,
  disclaim_version varchar not null,
  primary key (day, environment, tenant, turn, language)
);
comment on table marts.disclaim_daily is 'How often answers say that they do not know: a damped, lagging signal. What was at hand for them is in marts.answer_outcomes_daily';
comment on column marts.disclaim_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.disclaim_daily.language is 'as the turn states it, unknown where it does not, or * for all';
comment on column marts.disclaim_daily.answers is 'turns with an answer';
comment on column marts.disclaim_daily.disclaimed is 'answers that say that they do not know';
comment on column marts.disclaim_daily.partly is 'answers that say so of a part and yet give something; not counted in the rate';
comment on column marts.disclaim_daily.low is 'lower end of the 95 % interval, which respects that turns come in conversations';
comment on column marts.disclaim_daily.high is 'upper end of the 95 % interval';
