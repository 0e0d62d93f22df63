create schema if not exists marts;
create table if not exists marts.date_questions_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  question varchar not null check (question in ('window', 'unused', 'unread', 'none')),
  searches bigint not null,
  total bigint not null,
  share double not null check (share between 0 and 1),
  share_low double check (share_low between 0 and 1),
  share_high double check (share_high between 0 and 1),
  empty bigint not null,
  pinned bigint not null,
  passages bigint not null,
  rate double check (rate between 0 and 1),
  low double check (low between 0 and 1),
  high double check (high between 0 and 1),
  coverage double check (coverage between 0 and 1),
  pending bigint not null,
  metric_version varchar not null,
  primary key (day, environment, tenant, question)
);
comment on table marts.date_questions_daily is 'How questions that name a time fare: searched in a window, without one, and beside them all others; counted over all searches, relevance from the judged sample';
comment on column marts.date_questions_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.date_questions_daily.question is 'window: the search recorded a window; unused: it did not, though this parser reads one in the message; unread: a time word and no window that anybody could read; none: no time word';
comment on column marts.date_questions_daily.searches is 'retrievals that searched';
comment on column marts.date_questions_daily.total is 'searches of all four kinds';
comment on column marts.date_questions_daily.share is 'searches over total; its interval respects that searches come in conversations';
comment on column marts.date_questions_daily.empty is 'searches that found nothing';
comment on column marts.date_questions_daily.pinned is 'searches with at least one pin';
comment on column marts.date_questions_daily.passages is 'judged passages';
comment on column marts.date_questions_daily.rate is 'share of passages that have nothing to do with the need, by the formula of relevance_daily; null while drawn retrievals lack a verdict';
comment on column marts.date_questions_daily.low is 'lower end of the 95 % interval, which respects that passages come in retrievals';
comment on column marts.date_questions_daily.high is 'upper end of the 95 % interval';
comment on column marts.date_questions_daily.coverage is 'weighted share of sampled passages that have a grade';
comment on column marts.date_questions_daily.pending is 'sampled passages that may still get a grade: above 0 the night is incomplete';
