create schema if not exists structured;
create table if not exists structured.sources (
  tenant varchar not null,
  source_id varchar not null,
  title varchar not null,
  dated date,
  primary key (tenant, source_id)
);
comment on table structured.sources is 'Title and date of what snippets were cut from';
