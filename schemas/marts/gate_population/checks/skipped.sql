-- The cost of the skip is counted over the skipped turns, all of them.
select environment, tenant, language, population.n as skipped, cost.total
from (from marts.gate_population where day = $day and measure = 'population' and value = 'skipped' and reason = '*') as population
full join (
  select environment, tenant, language, any_value(total) as total from marts.gate_population
  where day = $day and measure = 'skip_cost'
  group by all
) as cost using (environment, tenant, language)
where population.n is distinct from cost.total
