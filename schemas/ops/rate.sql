-- How fast each source was read when it was read last: over its last batches, at most twenty, of one run. A gap of ten
-- seconds ends the run: somebody waited, and nobody read. The first of these batches only starts the clock.
with latest as (
  select source, batch, consumed, committed_at
  from ingest.batches
  qualify row_number() over (partition by source order by batch desc) <= 20
),
spaced as (
  select *, coalesce(
      committed_at - lag(committed_at) over (partition by source order by batch) > interval 10 seconds, false
    ) as waited
  from latest
),
told as (
  select *, count_if(waited) over (partition by source order by batch desc) - waited::bigint as waits
  from spaced
),
of_one_run as (
  select *, row_number() over (partition by source order by batch) as place
  from told
  where waits = 0
)
select source, max(committed_at) as last_batch_at,
  sum(consumed) filter (where place > 1)::bigint as records,
  round(
    sum(consumed) filter (where place > 1) / nullif(epoch(max(committed_at)) - epoch(min(committed_at)), 0), 1
  ) as records_per_second
from of_one_run
group by source
order by source
