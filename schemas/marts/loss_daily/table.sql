create schema if not exists marts;
create table if not exists marts.loss_daily (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  producer_id varchar not null,
  received bigint not null check (received >= 0),
  numbered bigint not null check (numbered between 0 and received),
  gaps bigint not null check (gaps >= 0),
  loss_rate double check (loss_rate between 0 and 1),
  reported_drops bigint not null check (reported_drops >= 0),
  duplicates bigint not null check (duplicates >= 0),
  conflicts bigint not null check (conflicts >= 0),
  late bigint not null check (late >= 0),
  skewed bigint not null check (skewed >= 0),
  quarantined struct(reason varchar, records bigint)[] not null,
  metric_version varchar not null,
  primary key (day, environment, tenant, producer_id)
);
comment on table marts.loss_daily is 'What arrived and what is known to be missing, by producer; an absent event is seen by the gap that it leaves in its producer''s sequence';
comment on column marts.loss_daily.day is 'date in the time zone of the warehouse: of the true instant, as in the projections; of arrival for what is in quarantine';
comment on column marts.loss_daily.tenant is 'an exact host name, or * for all tenants together';
comment on column marts.loss_daily.producer_id is 'as the client names itself, none where it does not, or * for all producers of the tenant';
comment on column marts.loss_daily.numbered is 'received events that carry a sequence number';
comment on column marts.loss_daily.gaps is 'sequence numbers missing before the events of this day, looked for up to 31 days back; what came late since is not missing, nor is what was erased';
comment on column marts.loss_daily.loss_rate is 'gaps / (gaps + numbered); null where nothing is numbered';
comment on column marts.loss_daily.reported_drops is 'events that the client library says it had to drop; also gaps, where the client numbers its events';
comment on column marts.loss_daily.late is 'received by the collector more than 24 hours after they happened; not told of events that no collector stamped: when they were read says nothing of them';
comment on column marts.loss_daily.skewed is 'sent by a clock that was off by more than five minutes';
comment on column marts.loss_daily.quarantined is 'records that are no events, by reason; they have no tenant that could be trusted, so they stand in the row of all environments and tenants';
