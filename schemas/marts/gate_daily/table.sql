create schema if not exists marts;
create table if not exists marts.gate_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  turn varchar not null check (turn in ('all', 'first', 'later', 'unknown')),
  language varchar not null,
  measure varchar not null check (measure in ('decision', 'replayed', 'disagreement', 'outcome')),
  value varchar not null,
  reason varchar not null,
  n bigint not null,
  total bigint not null,
  rate double not null check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  metric_version varchar not null,
  primary key (day, environment, tenant, turn, language, measure, value, reason)
);
comment on table marts.gate_daily is 'How often the gate decides what, as the events report it and as this gate decides when it is replayed, and what became of the searches; counted over all turns, but for a day of many turns what is replayed is counted over the turns that were (night.replays)';
comment on column marts.gate_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.gate_daily.language is 'as the turn states it, unknown where it does not, or * for all';
comment on column marts.gate_daily.measure is 'decision: of the gate as reported, over turns; replayed: of this gate, over the turns that were replayed; disagreement: between the two, over those of them that report a decision; outcome: of the search, over retrievals (found, empty, skipped and failed are four things)';
comment on column marts.gate_daily.value is 'the decision or outcome; fired is any decision that changes the query or skips the search; unreported is a turn without a decision; agree and differ compare the reported decision with the replayed one';
comment on column marts.gate_daily.reason is 'the reason as reported, the rule that decided when replayed, or the reported and the replayed decision (follow_up / skip); * for all';
comment on column marts.gate_daily.total is 'turns of the slice, replayed turns of it, those that report a decision, or retrievals';
comment on column marts.gate_daily.low is 'lower end of the 95 % interval, which respects that turns come in conversations';
comment on column marts.gate_daily.high is 'upper end of the 95 % interval';
