-- A share or rate outside its own interval is a fault of ours.
select environment, tenant, question, share, share_low, share_high, rate, low, high from marts.date_questions_daily
where day = $day and (not (share between share_low - 1e-8 and share_high + 1e-8) or not (rate between low - 1e-8 and high + 1e-8))
