-- Whole conversations, the smallest hashes first, until a tenant has what it was allotted: every tenant has one, and one may reach beyond.
insert into night.replays by name
with drawn as (
  select environment, tenant, draw, allotted, sum(frame.turns) over (partition by environment, tenant order by draw, conversation_id) - frame.turns as before
  from replay_frame as frame
  join allotment using (environment, tenant)
  where allotted < allotment.turns
),
reach as (
  select environment, tenant, max(draw) as reach from drawn where before < allotted group by all
)
select $day as day, environment, tenant, turns, reach, $is_whole as is_whole
from allotment
left join reach using (environment, tenant)
order by environment, tenant
