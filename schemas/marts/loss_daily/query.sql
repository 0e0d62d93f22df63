with bounds as (
  select environment, tenant, producer_id, min(sequence) as low, max(sequence) as high
  from ingest.events
  where sequence is not null and day between $first_day and $last_day
  group by environment, tenant, producer_id
),
-- the events of the days; of the month around them only what a gap may end or begin at: numbers between theirs, and the next below
near as (
  select day, environment, tenant, producer_id, event_id, sequence
  from ingest.events
  where sequence is not null and day between $first_day and $last_day
  union all
  select day, environment, tenant, producer_id, event_id, sequence
  from ingest.events
  join bounds using (environment, tenant, producer_id)
  where (day between $first_day - 31 and $first_day - 1 or day = $last_day + 1) and sequence between low and high
  union all
  select null, environment, tenant, producer_id, null, max(sequence)
  from ingest.events
  join bounds using (environment, tenant, producer_id)
  where (day between $first_day - 31 and $first_day - 1 or day = $last_day + 1) and sequence < low
  group by environment, tenant, producer_id
),
numbered as (
  select day, environment, tenant, producer_id,
    sequence - lag(sequence) over (partition by environment, tenant, producer_id order by sequence, event_id) - 1 as missing
  from near
),
arrived as (
  select event.day, event.environment, event.tenant, coalesce(event.producer_id, 'none') as producer_id, count(*) as received,
    count(sequence) as numbered,
    count(*) filter (coalesce(received_at, committed_at) - occurred_at > interval 24 hours) as late,
    count(*) filter (abs(epoch(received_at) - epoch(sent_at)) > 300) as skewed
  from ingest.events as event join ingest.batches using (batch)
  where event.day between $first_day and $last_day
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
  select event.day, event.environment, event.tenant, 'none' as producer_id,
    sum(list_sum(regexp_extract_all(report.target, ':([0-9]{1,9})', 1)::bigint[]))::bigint as reported_drops
  from canonical.interactions as report join ingest.events as event using (tenant, event_id)
  where report.kind = 'events_dropped' and event.day between $first_day and $last_day
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
  where quarantined_at::date between $first_day and $last_day and released_by is null
  group by reason
)
select *, round(gaps / nullif(gaps + numbered, 0), 9) as loss_rate, []::struct(reason varchar, records bigint)[] as quarantined,
  '1' as metric_version
from summed
union all by name
select $last_day as day, '*' as environment, '*' as tenant, '*' as producer_id, 0 as received, 0 as numbered, 0 as gaps,
  0 as reported_drops, 0 as duplicates, 0 as conflicts, 0 as late, 0 as skewed, null as loss_rate,
  list({'reason': reason, 'records': records} order by reason) as quarantined, '1' as metric_version
from waiting
having count(*) > 0
order by all
