insert into night.sample by name
with head as (
  select environment, tenant, kind, position, draw[1:2] as head, count(*) as n
  from frame
  group by all
),
reach as (
  -- how far the smallest hashes reach, by their first two digits: only the few up to there are put in order
  select environment, tenant, kind, position, sample_size, sample_size / frame_size as probability, max(head) as head
  from (
    select *, sum(n) over (partition by environment, tenant, kind, position order by head) - n as before from head
  )
  join allocation using (environment, tenant, kind, position)
  where before < sample_size
  group by all
),
drawn as (
  select environment, tenant, retrieval_id, event_id, turn_index, kind, position, draw, probability
  from frame
  join reach using (environment, tenant, kind, position)
  where draw[1:2] <= reach.head
  qualify row_number() over (partition by environment, tenant, kind, position order by draw, retrieval_id) <= sample_size
)
select $day as day, drawn.environment, drawn.tenant, drawn.retrieval_id, drawn.event_id, retrieval.turn_id, turn_index,
  retrieval.conversation_id, retrieval.visitor_id, kind, position, coalesce(retrieval.resolution, 'as_typed') as resolution,
  ('0x' || drawn.draw[1:16])::ubigint / 18446744073709551616.0 as u, probability
from drawn
join canonical.retrievals as retrieval
  on retrieval.day = $day and retrieval.tenant = drawn.tenant and retrieval.event_id = drawn.event_id
order by all
