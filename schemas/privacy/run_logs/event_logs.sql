select id, event from event_logs
