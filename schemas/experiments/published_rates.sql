-- The published irrelevant rate of each day and environment, for all tenants together.
select day, environment, judge, model, rubric_version, rate, low, high, effective_n
from marts.relevance_daily
where day between $first_day and $last_day and list_contains($environments, environment) and tenant = '*' and slice = 'all'
  and measure = 'irrelevant_' || $against and rate is not null and effective_n > 0
order by day, environment
