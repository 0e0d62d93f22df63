select id, event from event_logs where id > :after order by id limit :rows
