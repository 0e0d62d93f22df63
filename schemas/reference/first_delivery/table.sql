create schema if not exists reference;
-- A turn or retrieval may be reported by several events. Its first delivery counts, everywhere: the event that happened first, the lower
-- id where two happened at once. Ids of events are random, so the lowest alone would be any of them; and no column of canonical tables says
-- which arrived first, because they must come out equal however the log is read again.
create or replace macro reference.of_first(value, occurred_at, event_id) as arg_min_null(value, (occurred_at, event_id));
-- These give the other deliveries, to be left out by an anti join: they are few. They are looked for by hashes of the ids, which are small,
-- and only those with an equal hash are put in order.
create or replace macro reference.turns_again(first_day, last_day) as table
  select tenant, event_id
  from canonical.turns
  where day between first_day and last_day and hash(environment, tenant, turn_id) in (
    select hash(environment, tenant, turn_id) as id from canonical.turns where day between first_day and last_day group by id having count(*) > 1
  )
  qualify row_number() over (partition by environment, tenant, turn_id order by occurred_at, event_id) > 1;
create or replace macro reference.retrievals_again(first_day, last_day) as table
  select tenant, event_id
  from canonical.retrievals
  where day between first_day and last_day and hash(environment, tenant, retrieval_id) in (
    select hash(environment, tenant, retrieval_id) as id from canonical.retrievals where day between first_day and last_day
    group by id having count(*) > 1
  )
  qualify row_number() over (partition by environment, tenant, retrieval_id order by occurred_at, event_id) > 1;
