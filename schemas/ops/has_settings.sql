select count(*) > 0 from duckdb_tables() where schema_name = 'ops' and table_name = 'settings'
