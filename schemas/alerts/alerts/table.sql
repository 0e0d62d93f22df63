create schema if not exists alerts;
create table if not exists alerts.alerts (
  alert_id varchar primary key,
  rule varchar not null check (rule in ('fleet', 'threshold')),
  environment varchar not null,
  tenant varchar not null,
  kind varchar not null,
  cell varchar not null,
  opened date not null,
  since date not null,
  last_day date not null,
  ended varchar check (ended in ('recovered', 'acknowledged', 'faded')),
  instrument_moved boolean not null,
  part double,
  rate double,
  low double,
  high double,
  rate_before double,
  low_before double,
  high_before double,
  nights_before integer not null,
  fault varchar not null check (fault in ('query', 'retriever', 'both', 'unclear')),
  worst varchar[] not null
);
comment on table alerts.alerts is 'Rises of irrelevance that are more than noise: one row for each slice that an alarm named';
comment on column alerts.alerts.alert_id is 'a digest of rule, environment, slice and opening night: the same rise is the same alert in every re-run';
comment on column alerts.alerts.rule is 'fleet: all charts together; threshold: one night against those before, while a tenant''s charts are still learning';
comment on column alerts.alerts.tenant is 'an exact host name, or * for all tenants';
comment on column alerts.alerts.kind is 'kind of the passages: conversation, document, graph, or * for all';
comment on column alerts.alerts.cell is 'first, later_as_typed, combined, as_typed (the first two), later (the last two), or * for all turns';
comment on column alerts.alerts.opened is 'the night of the alarm';
comment on column alerts.alerts.since is 'the first night of the rise';
comment on column alerts.alerts.last_day is 'the last night on which the slice was named';
comment on column alerts.alerts.ended is 'how the alarm ended, null while it stands; faded: the threshold rule no longer sees it, which need not be a recovery';
comment on column alerts.alerts.instrument_moved is 'the judge had moved by its own chart: no rise of irrelevance';
comment on column alerts.alerts.part is 'the slice''s part of the fleet''s score when it was last named; null for the threshold rule';
comment on column alerts.alerts.rate is 'irrelevant_need from `since` to `last_day`, with its interval in low and high';
comment on column alerts.alerts.rate_before is 'the rate that was usual, with its interval';
comment on column alerts.alerts.fault is 'which half grew more: the query or the retriever';
comment on column alerts.alerts.worst is 'retrievals to read first, each as tenant/retrieval_id: ids are a tenant''s own';
