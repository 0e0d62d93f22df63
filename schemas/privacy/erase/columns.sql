-- Every table of the database with its columns, to know which of them hold something of a visitor.
select columns.schema_name, columns.table_name, list(columns.column_name order by columns.column_index) as columns
from duckdb_columns() as columns
join duckdb_tables() as tables using (database_oid, schema_oid, table_oid)
where not tables.temporary and not tables.internal
group by columns.schema_name, columns.table_name
order by columns.schema_name, columns.table_name
