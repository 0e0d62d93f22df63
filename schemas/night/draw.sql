insert into night.sample by name
select $day as day, frame.environment, frame.tenant, retrieval_id, event_id, turn_id, turn_index, conversation_id, visitor_id,
  frame.kind, frame.position, resolution,
  ('0x' || frame.draw[1:16])::ubigint / 18446744073709551616.0 as u,
  allocation.sample_size / allocation.frame_size as probability
from frame
join allocation using (environment, tenant, kind, position)
qualify row_number() over (partition by frame.environment, frame.tenant, frame.kind, frame.position order by frame.draw, retrieval_id)
  <= allocation.sample_size
order by all
