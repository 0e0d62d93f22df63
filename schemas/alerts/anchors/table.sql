create schema if not exists alerts;
create table if not exists alerts.anchors (
  day date not null,
  instrument varchar not null,
  judged bigint not null check (judged >= 0),
  differing bigint not null check (differing between 0 and judged),
  primary key (day, instrument)
);
comment on table alerts.anchors is 'Each night''s verdicts on the frozen passages that watch the judge';
comment on column alerts.anchors.differing is 'those whose grade differs from their frozen first one';
