-- A share outside its own interval or bounds is a fault of ours.
select environment, tenant, turn, language, outcome, rate, low, high, best, worst from marts.answer_outcomes_daily
where day = $day and (not (rate between low - 1e-8 and high + 1e-8) or best > worst or hits > answers)
