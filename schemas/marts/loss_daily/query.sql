-- The days are those of the true instant in the warehouse's time zone, as in the projections and in what makes a day dirty. The log is sorted
-- by the client's own UTC date, which is near it unless the clock was off.
with dated as not materialized (
  select *, coalesce(abs(epoch_us(received_at) - epoch_us(sent_at)) > 300_000_000, false) as is_skewed from ingest.events
),
-- the month is read once, for where each producer's numbers of a day begin and end, and on which days its events happened
stretch as materialized (
  select * exclude (began, ended), reference.day_of(began) as first_true_day, reference.day_of(ended) as last_true_day
  from (
    select day, environment, tenant, producer_id, is_skewed, min(sequence) as first_number, max(sequence) as last_number,
      min(occurred_at) as began, max(occurred_at) as ended
    from dated
    where day between $first_day - 33 and $last_day + 3
    group by all
  )
),
skewed as materialized (
  select reference.day_of(reference.true_instant(occurred_at, sent_at, received_at)) as day, environment, tenant, producer_id, sequence,
    reference.true_instant(occurred_at, sent_at, received_at) as instant, received_at
  from (
    select dated.*
    from dated join (from stretch where is_skewed) as off
      on dated.is_skewed and dated.day = off.day and dated.environment = off.environment and dated.tenant = off.tenant
      and dated.producer_id is not distinct from off.producer_id
    union all -- off by more than that; what happened on a day was received on it or later, and the log is in that order
    from dated where day < $first_day - 33 and received_at >= ($first_day - 33)::date and is_skewed
    union all
    from dated where day > $last_day + 3 and received_at >= ($first_day - 33)::date and is_skewed
  )
),
own as materialized (
  select day, environment, tenant, producer_id, sequence, true as is_skewed,
    received_at - instant > interval 24 hours as is_late
  from skewed
  where day between $first_day and $last_day
  union all by name
  select reference.day_of(occurred_at) as day, environment, tenant, producer_id, sequence, false as is_skewed,
    coalesce(received_at - occurred_at > interval 24 hours, false) as is_late
  from dated semi join (
    from stretch where not is_skewed and first_true_day <= $last_day and last_true_day >= $first_day
  ) using (day)
  where not is_skewed and reference.day_of(occurred_at) between $first_day and $last_day
),
producer as (
  select distinct environment, tenant, producer_id, sha256(concat_ws(chr(31), settings.value, tenant, 'producer', producer_id)) as producer
  from (
    select environment, tenant, producer_id from stretch
    union all
    select environment, tenant, producer_id from skewed
  ), ops.settings as settings
  where producer_id is not null and settings.name = 'erasure_salt' and tenant in (select tenant from privacy.erased_numbers)
),
erased as (
  select distinct erased.day, environment, tenant, producer.producer_id, erased.sequence
  from privacy.erased_numbers as erased join producer using (environment, tenant, producer)
  where erased.day between $first_day - 31 and $last_day + 1
),
numbers_of_days as (
  select day, environment, tenant, producer_id, sequence from own where sequence is not null
  union all by name
  select * from erased where day between $first_day and $last_day
),
bounds as materialized (
  select environment, tenant, producer_id, row_number() over () as producer, min(sequence) as low, max(sequence) as high
  from numbers_of_days
  group by all
),
around as (
  select day, environment, tenant, producer_id, low, high, first_number, last_number,
    first_true_day >= $first_day - 31 and last_true_day <= $last_day + 1
      and (last_true_day < $first_day or first_true_day > $last_day) as is_settled,
    max(if(is_settled and last_number < low, last_number, -1)) over (partition by environment, tenant, producer_id) as last_below
  from stretch join bounds using (environment, tenant, producer_id)
  where not is_skewed and last_true_day >= $first_day - 31 and first_true_day <= $last_day + 1
    and (first_true_day < $first_day or last_true_day > $last_day)
),
others as (
  from erased
  union all by name
  select day, environment, tenant, producer_id, sequence
  from skewed
  where sequence is not null and day between $first_day - 31 and $last_day + 1
  union all by name
  select null::date as day, environment, tenant, producer_id, last_below as sequence from around where last_below >= 0
  union all by name -- row by row only where another day's numbers of a producer lie among those of the days, or may be of the days
  select reference.day_of(occurred_at) as day, dated.environment, dated.tenant, dated.producer_id, sequence
  from dated join (
    from around where first_number <= high and (last_number >= low or (not is_settled and last_number > last_below))
  ) using (day, environment, tenant, producer_id)
  where not is_skewed and reference.day_of(occurred_at) between $first_day - 31 and $last_day + 1
),
-- the numbers of the days; of the month around them only what a gap may end or begin at: those between theirs, and the next below
near as (
  select day, environment, tenant, producer_id, sequence
  from numbers_of_days
  union all by name
  select if(sequence < low, null, day) as day, environment, tenant, producer_id, max(sequence) as sequence
  from others join bounds using (environment, tenant, producer_id)
  where sequence <= high and (day is null or day not between $first_day and $last_day)
  group by if(sequence < low, null, day), environment, tenant, producer_id, greatest(sequence, low - 1)
),
-- sorted by a number for each producer, which is shorter than its names; a gap before a number of two days is one of the earlier
numbered as (
  select day, environment, tenant, producer_id,
    sequence - lag(sequence) over (partition by producer order by sequence, day) - 1 as missing
  from near join bounds using (environment, tenant, producer_id)
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
  '3' as metric_version
from summed
union all by name
select $last_day as day, '*' as environment, '*' as tenant, '*' as producer_id, 0 as received, 0 as numbered, 0 as gaps,
  0 as reported_drops, 0 as duplicates, 0 as conflicts, 0 as late, 0 as skewed, null as loss_rate,
  list({'reason': reason, 'records': records} order by reason) as quarantined, '3' as metric_version
from waiting
having count(*) > 0
order by all
