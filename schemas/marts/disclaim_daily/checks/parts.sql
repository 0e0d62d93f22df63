-- The crossed counts are part of the answers.
select environment, tenant, turn, language from marts.disclaim_daily
where day = $day
  and disclaimed + partly > answers
  or day = $day
  and disclaimed_with_useful + disclaimed_without_useful + answered_with_useful + answered_without_useful > answers
