-- The decisions of a slice are all of its turns.
select environment, tenant, turn, language, measure, sum(n) as n, any_value(total) as total from marts.gate_daily
where day = $day and reason = '*' and value <> 'fired'
group by all
having sum(n) <> any_value(total)
