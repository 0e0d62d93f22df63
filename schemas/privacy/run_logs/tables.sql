-- What a SQLite file has of the two tables in which Dagster keeps the pages of assets, as it was shown.
select name from sqlite_master where type = 'table' and name in ('event_logs', 'asset_keys') order by name
