create schema if not exists structured;
create table if not exists structured.people (
  tenant varchar not null,
  person_id varchar not null,
  name varchar not null,
  aliases varchar[] not null,
  primary key (tenant, person_id)
);
comment on table structured.people is 'People whom questions may name';
comment on column structured.people.aliases is 'other names of the same person, such as a nickname';
