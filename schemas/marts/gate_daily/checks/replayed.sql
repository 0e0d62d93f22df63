-- Where this gate was replayed, it was replayed for every turn of the environment, and compared wherever a decision was reported.
with slice as (
  select environment, tenant, turn, language,
    any_value(total) filter (measure = 'decision') as turns,
    any_value(total) filter (measure = 'decision') - coalesce(sum(n) filter (measure = 'decision' and value = 'unreported' and reason = '*'), 0) as reported,
    any_value(total) filter (measure = 'replayed') as replayed,
    coalesce(any_value(total) filter (measure = 'disagreement'), 0) as compared
  from marts.gate_daily
  where day = $day and environment in (select environment from marts.gate_daily where day = $day and measure = 'replayed')
  group by all
)
select * from slice where turns is not null and (replayed is distinct from turns or compared <> reported)
