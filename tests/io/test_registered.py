"""Arrow tables under a name, for as long as a block."""

import duckdb
import pyarrow as pa
import pytest

from pipelines.io.registered import registered

ROWS = {"rows_here": pa.table({"n": [1, 2]})}


def test_a_table_has_its_name_inside_the_block_alone() -> None:
    """Whatever happens there."""
    connection = duckdb.connect()

    with registered(connection, ROWS):
        assert connection.execute("select sum(n) from rows_here").fetchall() == [(3,)]

    with pytest.raises(duckdb.CatalogException):
        connection.execute("from rows_here")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_the_first_error_is_the_one_that_is_seen(error: type[BaseException]) -> None:
    """Not that a transaction which failed takes no more."""
    connection = duckdb.connect()
    connection.execute("begin")

    with pytest.raises(error), registered(connection, ROWS):  # noqa: PT012 - the transaction must fail inside
        with pytest.raises(duckdb.Error):
            connection.execute("select error('failed')").fetchall()
        raise error
