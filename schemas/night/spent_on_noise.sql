-- What measuring the noise of a night has cost so far, over all its environments and runs.
select tenant, sum(cost) as cost from night.spending where day = $day and what = 'noise' group by tenant order by tenant
