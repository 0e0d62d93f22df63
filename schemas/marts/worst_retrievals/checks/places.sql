-- Places count from 1 without a gap.
select environment, tenant, count(*) as n, max(place) as last from marts.worst_retrievals
where day = $day
group by environment, tenant
having count(*) <> max(place)
