select comment from duckdb_tables() where schema_name = $schema and table_name = $name
