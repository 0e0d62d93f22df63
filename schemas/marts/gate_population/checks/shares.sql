-- What becomes of the turns of a slice adds up to all of them.
select environment, tenant, language, measure, sum(n) as n, any_value(total) as total from marts.gate_population
where day = $day and reason = '*'
group by all
having sum(n) <> any_value(total)
