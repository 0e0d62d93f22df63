create schema if not exists alerts;
create table if not exists alerts.charted (
  day date not null,
  environment varchar not null,
  outcome varchar not null check (outcome in ('charted', 'learning', 'incomplete', 'other_judge', 'missing')),
  score double,
  alarming boolean not null,
  instrument_moved boolean not null,
  baseline_first date,
  baseline_last date,
  baseline_nights integer not null,
  primary key (day, environment)
);
comment on table alerts.charted is 'What each night did to the charts; a day without a night is there, as missing';
comment on column alerts.charted.outcome is 'why the charts did not move: learning, incomplete (verdicts are missing), other_judge than the baseline''s, missing';
comment on column alerts.charted.score is 'natural logarithm of the fleet''s score; the alarm is at ln 180';
comment on column alerts.charted.instrument_moved is 'the night''s judge had moved by its own chart: its figures say nothing of the retrievals';
