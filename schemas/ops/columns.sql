select column_name, data_type, comment from duckdb_columns() where schema_name = $schema and table_name = $name order by column_index
