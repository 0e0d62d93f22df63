create schema if not exists structured;
create table if not exists structured.items (
  tenant varchar not null,
  item_id varchar not null,
  item_type varchar not null,
  text varchar not null,
  starts_at timestamptz,
  ends_at timestamptz,
  status varchar not null,
  source_id varchar,
  primary key (tenant, item_id),
  check (status in ('proposed', 'confirmed', 'done', 'rejected')),
  check (ends_at is null or ends_at >= starts_at)
);
comment on table structured.items is 'Todos, events and other dated facts of an application, as they are now; read live, never from an index';
comment on column structured.items.item_type is 'todo, event, … as the application names it';
comment on column structured.items.starts_at is 'when it is or is due; null where it has no date';
comment on column structured.items.ends_at is 'the instant after its last; null for an item of one instant';
comment on column structured.items.status is 'a rejected item is never shown';
comment on column structured.items.source_id is 'the note that it was taken from';
