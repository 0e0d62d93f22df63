-- How fast each source was read when it was read last: over its last twenty batches.
with latest as (
  select source, consumed, committed_at
  from ingest.batches
  qualify row_number() over (partition by source order by batch desc) <= 20
)
select source, max(committed_at) as last_batch_at, sum(consumed)::bigint as records,
  round(sum(consumed) / nullif(epoch(max(committed_at)) - epoch(min(committed_at)), 0), 1) as records_per_second
from latest
group by source
order by source
