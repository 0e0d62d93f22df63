delete from ingest.quarantine where id in (select unnest($ids::bigint[]))
