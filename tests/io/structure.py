"""What a warehouse is made of; `python -m tests.io.structure > tests/io/structure.txt` accepts a change of it."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from pipelines.io.warehouse import Connection, Warehouse

_QUERIES = (
    "select 'comment', schema_name, table_name, column_name, comment from duckdb_columns() where not internal",
    "select 'table', schema_name, table_name, comment from duckdb_tables() where not internal",
    "select 'column', schema_name, table_name, column_index, column_name, data_type, is_nullable from duckdb_columns()",
    "select 'default', schema_name, table_name, column_name, column_default from duckdb_columns() where not internal",
    "select 'constraint', schema_name, table_name, constraint_type, constraint_text from duckdb_constraints()",
    "select 'index', schema_name, table_name, is_unique, sql from duckdb_indexes()",
    "select 'sequence', schema_name, sequence_name, start_value, increment_by from duckdb_sequences()",
    "select 'macro', schema_name, function_name, parameters, macro_definition from duckdb_functions() where not internal",
    "select 'view', schema_name, view_name, sql from duckdb_views() where not internal",
)


def structure(connection: Connection) -> list[str]:
    """Return a line for everything that the catalogue knows of our own, in a fixed order."""
    return sorted(str(row) for query in _QUERIES for row in connection.execute(query).fetchall())


def tables(connection: Connection) -> list[str]:
    """Return every table as one line of its columns, types and constraints, without comments."""
    rows = connection.execute(
        "select schema_name || '.' || table_name, sql from duckdb_tables() where not internal order by all"
    ).fetchall()
    return [f"{name}: {re.sub(r'^.*?(?=[(])', '', sql)}" for name, sql in rows]


def main() -> None:
    """Print the tables of a fresh warehouse."""
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "warehouse.duckdb")
        with warehouse.write() as connection:
            print(*tables(connection), sep="\n")


if __name__ == "__main__":
    main()
