select (select max(day) from night.nights where published) as last_published, (select count(*) from night.nights where published) as nights,
  (select min(day) from ingest.batch_days) as first_day, (select max(day) from ingest.batch_days) as last_day
