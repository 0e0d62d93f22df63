select distinct day from canonical.turns where day between $first_day and $last_day order by day
