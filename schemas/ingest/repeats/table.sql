create schema if not exists ingest;
create table if not exists ingest.repeats (
  batch bigint not null,
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  producer_id varchar,
  fate varchar not null check (fate in ('duplicate', 'conflict')),
  events bigint not null check (events >= 1)
);
comment on table ingest.repeats is 'How many deliveries of each batch carried the id of a stored event, by producer: duplicates leave no other trace';
comment on column ingest.repeats.day is 'date of the repeated event in the time zone that the warehouse had when it came';
