-- Every judged answer has one of the four outcomes: their shares add up to one, and each counts the same answers.
select environment, tenant, turn, language, sum(rate) as together from marts.answer_outcomes_daily
where day = $day
group by all
having count(*) <> 4 or abs(sum(rate) - 1) > 1e-6 or sum(hits) <> max(answers) or min(answers) <> max(answers)
