-- Less than half of a tenant's sampled passages have a grade: the rate stands on the smaller part.
select environment, tenant, coverage from marts.relevance_daily
where day = $day and slice = 'all' and measure = 'irrelevant_query' and tenant <> '*' and coverage < 0.5
