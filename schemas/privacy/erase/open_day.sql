insert into ingest.batch_days (batch, day, events) values ($batch, $day, $events)
