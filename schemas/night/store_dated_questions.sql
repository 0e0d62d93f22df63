insert into night.dated_questions by name
select $day as day, * replace (event_id::uuid as event_id) from new_dated_questions
