create schema if not exists privacy;
create table if not exists privacy.erased_numbers (
  tenant varchar not null,
  environment varchar not null,
  producer varchar not null,
  sequence bigint not null,
  day date not null
);
comment on table privacy.erased_numbers is 'Sequence numbers of erased events, so that they are not taken for lost ones; a number may stand here more than once';
comment on column privacy.erased_numbers.producer is 'SHA-256 over the salt of this warehouse, the tenant, the word producer and the producer''s id';
comment on column privacy.erased_numbers.day is 'date of the event in the time zone that the warehouse had when it was erased';
