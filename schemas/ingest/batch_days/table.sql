create schema if not exists ingest;
create table if not exists ingest.batch_days (
  batch bigint not null,
  day date not null,
  events bigint not null
);
comment on table ingest.batch_days is 'Which days each batch touched, in the time zone of the warehouse; a day touched after its night is dirty';
