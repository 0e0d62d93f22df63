-- Whose events are here: an erasure at a mistyped tenant finds nothing.
select distinct tenant from ingest.events order by tenant
