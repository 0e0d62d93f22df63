-- Every judged passage has one of the four faults: their shares add up to one, and each counts the same passages.
select environment, tenant, slice, value, sum(rate) as together from marts.fault_daily
where day = $day
group by all
having count(*) <> 4 or abs(sum(rate) - 1) > 1e-6 or sum(hits) <> max(passages) or min(passages) <> max(passages)
