-- The strata of a day must add up to its frame.
select night.day, night.frame_size, sum(strata.frame_size) as in_strata
from night.nights as night
join night.strata as strata using (day)
where night.day = $day
group by night.day, night.frame_size
having sum(strata.frame_size) <> night.frame_size
