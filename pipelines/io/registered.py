"""Arrow tables that a query reads by name, for as long as a block."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa

from pipelines.io.warehouse import Connection


@contextmanager
def registered(connection: Connection, tables: Mapping[str, pa.Table | pa.RecordBatch]) -> Iterator[None]:
    """Let queries read the tables by their names until the end of the block."""
    for name, table in tables.items():
        connection.register(name, table)
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # a transaction that failed takes no more; the first error is the one to see
            _unregister(connection, tables)
        raise
    _unregister(connection, tables)


def _unregister(connection: Connection, names: Iterable[str]) -> None:
    for name in names:
        connection.unregister(name)
