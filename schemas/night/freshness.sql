select (select max(day) from ingest.batch_days), (select max(day) from night.nights where published)
