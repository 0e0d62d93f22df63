create schema if not exists night;
create table if not exists night.disclaims (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  disclaimed varchar not null check (disclaimed in ('yes', 'no', 'partial')),
  language varchar,
  phrase varchar
);
comment on table night.disclaims is 'Whether the answer of each turn says that it does not know';
comment on column night.disclaims.day is 'the day of the night, which is another than the turn''s where a search and its turn lie on two sides of midnight';
comment on column night.disclaims.phrase is 'the words that say so';
