-- How the judge of each environment's newest night, and any other that was asked lately, stands by its own chart.
select instrument, day, state, moved, passages, unanswered, usual, score
from alerts.instruments
qualify row_number() over (partition by instrument order by day desc) = 1 and day > max(day) over () - 7
order by day desc, instrument
