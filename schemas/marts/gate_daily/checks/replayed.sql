-- Where this gate was replayed, it was replayed for every turn, and compared wherever a decision was reported; of a tenant of which it
-- was replayed for some, for no more than that.
with replays as (
  select environment, scope.tenant, bool_or(reach is not null) as is_part
  from night.replays, lateral (values (replays.tenant), ('*')) as scope (tenant)
  where day = $day
  group by all
),
slice as (
  select environment, tenant, turn, language,
    any_value(total) filter (measure = 'decision') as turns,
    any_value(total) filter (measure = 'decision') - coalesce(sum(n) filter (measure = 'decision' and value = 'unreported' and reason = '*'), 0) as reported,
    any_value(total) filter (measure = 'replayed') as replayed,
    coalesce(any_value(total) filter (measure = 'disagreement'), 0) as compared
  from marts.gate_daily
  where day = $day and environment in (select environment from marts.gate_daily where day = $day and measure = 'replayed')
  group by all
)
select slice.*
from slice
left join replays using (environment, tenant)
where turns is not null and if(coalesce(is_part, false),
  replayed > turns or compared > least(reported, coalesce(replayed, 0)) or (turn = 'all' and language = '*' and replayed is null),
  replayed is distinct from turns or compared <> reported)
