create schema if not exists tenants;
create table if not exists tenants.configurations (
  tenant varchar not null,
  version integer not null check (version >= 1),
  gate varchar not null check (gate in ('off', 'shadow', 'on', 'percent')),
  gate_percent double check (gate_percent between 0 and 100),
  changed_at timestamptz not null,
  changed_by varchar not null,
  primary key (tenant, version),
  check ((gate = 'percent') = (gate_percent is not null))
);
comment on table tenants.configurations is 'Every version of every tenant''s configuration; the highest is in force';
comment on column tenants.configurations.version is 'one more than the version that the change was based on';
comment on column tenants.configurations.gate is 'what the gate''s decision does: nothing, be recorded, be obeyed, be obeyed in a share of conversations';
comment on column tenants.configurations.gate_percent is 'the share of conversations, in percent';
