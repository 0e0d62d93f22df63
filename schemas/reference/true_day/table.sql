create schema if not exists reference;
-- When an event happened, and on which day, as the projections have it: the client's clock, corrected by the collector's where the two
-- are more than five minutes apart.
create or replace macro reference.true_instant(occurred_at, sent_at, received_at) as
  if(abs(epoch_us(received_at) - epoch_us(sent_at)) > 300_000_000,
    make_timestamptz(epoch_us(occurred_at) + epoch_us(received_at) - epoch_us(sent_at)), occurred_at);
-- The date of an instant in the time zone of the warehouse.
create or replace macro reference.day_of(instant) as
  timezone(coalesce((select value from ops.settings where name = 'time_zone'), 'UTC'), instant)::date;
