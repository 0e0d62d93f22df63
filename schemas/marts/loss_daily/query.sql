-- The days are those of the true instant in the warehouse's time zone, as in the projections and in what makes a day dirty. The log is sorted
-- by the client's own UTC date, which is near it unless the clock was off.
with candidates as not materialized (
  select * from ingest.events where day between $first_day - 33 and $last_day + 3
  union all -- clocks that were off; what happened on a day was received on it or later, and the log is in that order
  select * from ingest.events
  where day not between $first_day - 33 and $last_day + 3 and received_at >= ($first_day - 33)::date
    and abs(epoch_us(received_at) - epoch_us(sent_at)) > 300_000_000
),
log as not materialized (
  select reference.day_of(reference.true_instant(occurred_at, sent_at, received_at)) as day, environment, tenant, producer_id, sequence, event_id,
    candidates.day as logged, coalesce(abs(epoch_us(received_at) - epoch_us(sent_at)) > 300_000_000, false) as is_skewed,
    coalesce(received_at - reference.true_instant(occurred_at, sent_at, received_at) > interval 24 hours, false) as is_late
  from candidates
),
-- what is of the days themselves: the log has it on them or beside them, unless the clock was off
own as materialized (
  select * from log
  where (logged between $first_day - 3 and $last_day + 3 or is_skewed) and day between $first_day and $last_day
),
producer as (
  select distinct environment, tenant, producer_id, sha256(concat_ws(chr(31), settings.value, tenant, 'producer', producer_id)) as producer
  from log, ops.settings as settings
  where sequence is not null and settings.name = 'erasure_salt' and tenant in (select tenant from privacy.erased_numbers)
),
erased as (
  select distinct erased.day, environment, tenant, producer.producer_id, erased.sequence
  from privacy.erased_numbers as erased join producer using (environment, tenant, producer)
  where erased.day between $first_day - 31 and $last_day + 1
),
numbers as not materialized (
  select day, environment, tenant, producer_id, sequence, event_id
  from log
  where sequence is not null and day between $first_day - 31 and $last_day + 1
  union all by name
  select * from erased
),
numbers_of_days as (
  select day, environment, tenant, producer_id, sequence, event_id from own where sequence is not null
  union all by name
  select * from erased where day between $first_day and $last_day
),
bounds as (
  select environment, tenant, producer_id, min(sequence) as low, max(sequence) as high
  from numbers_of_days
  group by all
),
-- the numbers of the days; of the month around them only what a gap may end or begin at: those between theirs, and the next below
near as (
  select day, environment, tenant, producer_id, sequence, event_id
  from numbers_of_days
  union all by name
  select day, environment, tenant, producer_id, sequence, event_id
  from numbers join bounds using (environment, tenant, producer_id)
  where day not between $first_day and $last_day and sequence between low and high
  union all by name
  select environment, tenant, producer_id, max(sequence) as sequence
  from numbers join bounds using (environment, tenant, producer_id)
  where day not between $first_day and $last_day and sequence < low
  group by all
),
numbered as (
  select day, environment, tenant, producer_id,
    sequence - lag(sequence) over (partition by environment, tenant, producer_id order by sequence, event_id) - 1 as missing
  from near
),
arrived as (
  select day, environment, tenant, coalesce(producer_id, 'none') as producer_id, count(*) as received, count(sequence) as numbered,
    count(*) filter (is_late) as late, count(*) filter (is_skewed) as skewed
  from own
  group by all
),
missing as (
  select day, environment, tenant, producer_id, -- a count that jumps by billions is a producer that counts otherwise; it must not overflow the sum
    sum(least(greatest(missing, 0), 1000000000))::bigint as gaps
  from numbered
  where day between $first_day and $last_day
  group by all
),
repeated as (
  select day, environment, tenant, coalesce(producer_id, 'none') as producer_id,
    coalesce(sum(events) filter (fate = 'duplicate'), 0)::bigint as duplicates,
    coalesce(sum(events) filter (fate = 'conflict'), 0)::bigint as conflicts
  from ingest.repeats
  where day between $first_day and $last_day
  group by all
),
reported as (
  select report.day, report.environment, report.tenant, 'none' as producer_id,
    sum(list_sum(regexp_extract_all(report.target, ':([0-9]{1,9})', 1)::bigint[]))::bigint as reported_drops
  from canonical.interactions as report
  where report.kind = 'events_dropped' and report.day between $first_day and $last_day
  group by all
),
parts as (
  select day, environment, tenant, producer_id, received, numbered, 0 as gaps, 0 as reported_drops, 0 as duplicates, 0 as conflicts,
    late, skewed
  from arrived
  union all by name
  select day, environment, tenant, producer_id, gaps from missing
  union all by name
  select day, environment, tenant, producer_id, duplicates, conflicts from repeated
  union all by name
  select day, environment, tenant, producer_id, reported_drops from reported
),
scoped as (
  select parts.* exclude (tenant, producer_id), scope.tenant, scope.producer_id
  from parts,
  lateral (values (parts.tenant, parts.producer_id), (parts.tenant, '*'), ('*', '*')) as scope (tenant, producer_id)
),
summed as (
  select $last_day as day, environment, tenant, producer_id, coalesce(sum(received), 0)::bigint as received,
    coalesce(sum(numbered), 0)::bigint as numbered, coalesce(sum(gaps), 0)::bigint as gaps,
    coalesce(sum(reported_drops), 0)::bigint as reported_drops, coalesce(sum(duplicates), 0)::bigint as duplicates,
    coalesce(sum(conflicts), 0)::bigint as conflicts, coalesce(sum(late), 0)::bigint as late, coalesce(sum(skewed), 0)::bigint as skewed
  from scoped
  group by all
),
waiting as (
  select reason, count(*) as records
  from ingest.quarantine
  where reference.day_of(quarantined_at) between $first_day and $last_day and released_by is null
  group by reason
)
select *, round(gaps / nullif(gaps + numbered, 0), 9) as loss_rate, []::struct(reason varchar, records bigint)[] as quarantined,
  '2' as metric_version
from summed
union all by name
select $last_day as day, '*' as environment, '*' as tenant, '*' as producer_id, 0 as received, 0 as numbered, 0 as gaps,
  0 as reported_drops, 0 as duplicates, 0 as conflicts, 0 as late, 0 as skewed, null as loss_rate,
  list({'reason': reason, 'records': records} order by reason) as quarantined, '2' as metric_version
from waiting
having count(*) > 0
order by all
