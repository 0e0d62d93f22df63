create schema if not exists alerts;
create table if not exists alerts.notices (
  notice_id varchar primary key,
  rule varchar not null,
  environment varchar not null,
  day date not null,
  opened date not null,
  what varchar not null check (what in ('opened', 'widened', 'recovered')),
  text varchar not null,
  tenants varchar[] not null,
  worst varchar[] not null,
  due boolean not null,
  delivered_at timestamptz
);
comment on table alerts.notices is 'What people are told, once';
comment on column alerts.notices.tenants is 'whom it is about; * for all tenants';
comment on column alerts.notices.worst is 'retrievals to read first, each as tenant/retrieval_id, told at the end of the text';
comment on column alerts.notices.due is 'false for what was old news when it was found, such as by a backfill: it is never delivered';
