create schema if not exists structured;
create table if not exists structured.contacts (
  tenant varchar not null,
  contact_id varchar not null,
  person_id varchar not null,
  contacted_at timestamptz not null,
  line varchar not null,
  status varchar not null,
  source_id varchar,
  primary key (tenant, contact_id),
  check (status in ('proposed', 'confirmed', 'rejected'))
);
comment on table structured.contacts is 'Recorded meetings, calls and letters with people';
comment on column structured.contacts.line is 'a sentence of the record that an answer can quote';
comment on column structured.contacts.status is 'a rejected contact is never shown';
