"""How fast a source was read last: what nobody read between two runs does not slow it down."""

import duckdb

from schemas import sql


def test_the_rate_is_that_of_the_last_run() -> None:
    """Minutes between two runs end the measure; the batch that starts the clock is not in it; one alone has no rate."""
    with duckdb.connect() as connection:
        connection.execute("create schema ingest")
        connection.execute(sql.load("ingest/batches/table.sql"))
        connection.execute(
            """
            insert into ingest.batches
            select batch, source, timestamptz '2026-11-29 12:00:00Z' + to_seconds(second), consumed, consumed, 0, 0, 0, 0
            from (values (1, 'files', 0, 5000), (2, 'files', 1, 5000), (3, 'files', 300, 100), (4, 'files', 302, 400),
              (5, 'files', 304, 400), (6, 'spool', 304, 7)) as given (batch, source, second, consumed)
            """
        )

        rows = connection.execute(sql.load("ops/rate.sql")).fetchall()

    assert [(source, records, rate) for source, _, records, rate in rows] == [
        ("files", 800, 200.0),
        ("spool", None, None),
    ]
