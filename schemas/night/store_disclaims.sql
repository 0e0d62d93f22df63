insert into night.disclaims by name
select $day as day, * replace (event_id::uuid as event_id) from new_disclaims
