-- Those that disclaim, wholly or in part, are part of the answers.
select environment, tenant, turn, language from marts.disclaim_daily
where day = $day and disclaimed + partly > answers
