-- The four kinds of questions are all searches, and what is counted of them is part of them.
select environment, tenant, sum(searches) as searches, any_value(total) as total from marts.date_questions_daily
where day = $day
group by all
having sum(searches) <> any_value(total) or count_if(empty > searches or pinned > searches) > 0
