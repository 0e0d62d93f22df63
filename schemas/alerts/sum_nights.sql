insert into alerts.summed_nights by name
select night.day, environment, count(*) filter (sample.retrieval_id is not null and not coalesce(verdict.is_final, false)) = 0 as complete
from (
  select day, unnest(environments) as environment
  from night.nights
  where day in (select day from nights_to_sum)
) as night
left join (
  from night.sample where day between $first_day and $last_day and day in (select day from nights_to_sum)
) as sample using (day, environment)
left join night.verdicts as verdict using (tenant, verdict_key)
group by all
order by environment, day
