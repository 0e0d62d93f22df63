-- Days of the last four weeks on which the charts did not move, other than because they are learning.
select day, environment, outcome from alerts.charted
where outcome not in ('charted', 'learning') and day > (select max(day) from alerts.charted) - 28
order by environment, day
