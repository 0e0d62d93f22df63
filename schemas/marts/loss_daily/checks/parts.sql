-- The producers of a tenant are all of it.
select environment, tenant, sum(received) filter (producer_id <> '*') as of_producers, any_value(received) filter (producer_id = '*') as of_tenant
from marts.loss_daily
where day = $day and tenant <> '*'
group by all
having of_producers is distinct from of_tenant
