create schema if not exists marts;
create table if not exists marts.answer_outcomes_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  turn varchar not null check (turn in ('all', 'first', 'later')),
  language varchar not null,
  outcome varchar not null check (
    outcome in ('disclaimed_although_useful', 'disclaimed_rightly', 'answered_with_useful', 'answered_with_nothing_useful')
  ),
  rate double check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  answers bigint not null,
  effective_n double,
  hits bigint not null,
  coverage double not null check (coverage between 0 and 1),
  best double not null check (best between 0 and 1),
  worst double not null check (worst between 0 and 1),
  pending bigint not null,
  metric_version varchar not null,
  disclaim_version varchar not null,
  judge varchar not null,
  model varchar not null,
  rubric_version varchar not null,
  primary key (day, environment, tenant, turn, language, outcome)
);
comment on table marts.answer_outcomes_daily is 'What answers made of what was retrieved for them: disclaimed or not, with a useful passage at hand or not; of the searches that found something and were answered, weighted to all of the day';
comment on column marts.answer_outcomes_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.answer_outcomes_daily.language is 'as the turn states it, unknown where it does not, or * for all';
comment on column marts.answer_outcomes_daily.outcome is 'disclaimed_although_useful: the answer broke; disclaimed_rightly: nothing useful was there; answered_with_useful: as it should be; answered_with_nothing_useful: made up, or known without. Useful: a passage graded 2 or 3 for the need. An answer that says of a part that it does not know and yet gives something counts as answered';
comment on column marts.answer_outcomes_daily.rate is 'share of answers, weighted to all answered searches of the day that found something; null while drawn ones lack a verdict';
comment on column marts.answer_outcomes_daily.low is 'lower end of the 95 % interval';
comment on column marts.answer_outcomes_daily.high is 'upper end of the 95 % interval';
comment on column marts.answer_outcomes_daily.answers is 'judged searches with an answer; the answer to a turn that searched twice counts with each search';
comment on column marts.answer_outcomes_daily.effective_n is 'how many independent answers the sample is worth';
comment on column marts.answer_outcomes_daily.hits is 'those of them with this outcome, unweighted';
comment on column marts.answer_outcomes_daily.coverage is 'weighted share of sampled answers of which is known whether something useful was at hand: a useful passage, or a grade for every one';
comment on column marts.answer_outcomes_daily.best is 'the share if no answer without its verdicts had this outcome';
comment on column marts.answer_outcomes_daily.worst is 'the share if every answer without its verdicts that can have this outcome had it';
comment on column marts.answer_outcomes_daily.pending is 'sampled answers that may still get their verdicts: above 0 the night is incomplete';
