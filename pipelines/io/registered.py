"""Arrow tables that a query reads by name, for as long as a block."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pyarrow as pa

from pipelines.io.warehouse import Connection


@contextmanager
def registered(connection: Connection, tables: Mapping[str, pa.Table | pa.RecordBatch]) -> Iterator[None]:
    """Let queries read the tables by their names until the end of the block."""
    for name, table in tables.items():
        connection.register(name, table)
    try:
        yield
    finally:
        for name in tables:
            connection.unregister(name)
