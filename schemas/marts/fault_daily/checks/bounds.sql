-- A share outside its own interval or bounds is a fault of ours.
select environment, tenant, slice, value, fault, rate, low, high, best, worst from marts.fault_daily
where day = $day and (not (rate between low - 1e-8 and high + 1e-8) or best > worst or hits > passages)
