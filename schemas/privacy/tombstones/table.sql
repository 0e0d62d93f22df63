create schema if not exists privacy;
create table if not exists privacy.tombstones (
  tenant varchar not null,
  kind varchar not null check (kind in ('visitor', 'conversation', 'event')),
  digest varchar not null,
  erased_at timestamptz not null,
  primary key (tenant, kind, digest)
);
comment on table privacy.tombstones is 'Who was erased, as salted digests: what is delivered of them again is counted and not stored';
comment on column privacy.tombstones.digest is 'SHA-256 over the salt of this warehouse, the tenant, the kind and the id';
comment on column privacy.tombstones.kind is 'a conversation counts where the event names no visitor, an event where it names neither';
