-- Whole conversations, the smallest hashes first, until a tenant has what it was allotted: every tenant has one, and one may reach beyond.
insert into night.replays by name
with drawn as (
  select environment, tenant, draw, allotted, sum(frame.turns) over (partition by environment, tenant order by draw, conversation_id) - frame.turns as before
  from replay_frame as frame
  join allotment using (environment, tenant)
  where allotted < allotment.turns
),
reach as (
  select environment, tenant, max(draw) filter (before < allotted) as last, min(draw) filter (before >= allotted) as next from drawn group by all
)
-- a number between two conversations: the hash of neither is kept, which would outlive the erasure of it
select $day as day, environment, tenant, turns, last + (next - last) // 2 as reach, $is_whole as is_whole
from allotment
left join reach using (environment, tenant)
order by environment, tenant
