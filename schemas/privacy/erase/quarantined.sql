select id, raw, released_by is null as waits from ingest.quarantine
