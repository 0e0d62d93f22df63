-- How the judge of a night stands by its own chart, on the last night up to it that asked about the frozen passages.
select instrument.day, state, moved, passages, unanswered, usual, score
from alerts.instruments as instrument
join night.nights as night
  on instrument.instrument = concat_ws(' ', night.judge, night.model, night.rubric_version, night.prompt_hash)
where night.day = $day and instrument.day <= $day
order by instrument.day desc
limit 1
