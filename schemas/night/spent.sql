-- What the verdicts of a night and its frozen passages have cost so far, over all runs of it.
select tenant, sum(cost) as cost from night.spending where day = $day and what <> 'noise' group by tenant order by tenant
