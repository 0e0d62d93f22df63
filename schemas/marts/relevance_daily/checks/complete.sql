-- Drawn retrievals that still lack a verdict: the night is incomplete, and a re-run asks for them alone.
select environment, tenant, pending from marts.relevance_daily
where day = $day and slice = 'all' and measure = 'irrelevant_query' and tenant <> '*' and pending > 0
