-- The conversations of a day, each with its turns and its place in the draw, which is the same on every day and in every run.
create or replace temp table replay_frame as
select environment, tenant, conversation_id, reference.replay_draw(tenant, conversation_id) as draw, count(*) as turns
from canonical.turns
anti join reference.turns_again($day, $day) as again using (tenant, event_id)
where day = $day and list_contains($environments, environment)
group by environment, tenant, conversation_id
