"""What the frame of a day holds, row by row."""

from collections.abc import Iterator
from datetime import date

import duckdb
import pytest

from schemas import sql

DAY = date(2026, 11, 29)
AT = {"day": DAY, "environments": ["production"], "seed": "s"}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield an empty warehouse in memory."""
    with duckdb.connect() as connection:
        for table in (
            "projections/retrievals",
            "projections/passages",
            "projections/turns",
            "reference/first_delivery",
        ):
            connection.execute(sql.load(f"{table}/table.sql"))
        yield connection


def searched(
    connection: duckdb.DuckDBPyConnection,
    event: int,
    retrieval: str,
    *,
    at: int = 0,
    tenant: str = "a.example",
    environment: str = "production",
    turn: str = "t",
    resolution: str | None = None,
    kinds: tuple[str, ...] = ("document",),
) -> None:
    """Store a retrieval whose event id ends in `event`, at so many seconds, with a passage of each kind."""
    row = {"day": DAY, "event": f"00000000-0000-4000-8000-{event:012d}", "tenant": tenant, "environment": environment}
    connection.execute(
        """insert into canonical.retrievals by name
        select $day::date as day, $tenant as tenant, $environment as environment, $event::uuid as event_id,
          $day::timestamptz + to_seconds($at) as occurred_at, 'c' as conversation_id, $retrieval as retrieval_id, $turn as turn_id,
          'searched' as outcome, $resolution as resolution, [] as channels, [] as pins, len($kinds::varchar[]) as passage_count""",
        row | {"at": at, "retrieval": retrieval, "turn": turn, "resolution": resolution, "kinds": list(kinds)},
    )
    connection.execute(
        """insert into canonical.passages by name
        select $day::date as day, $tenant as tenant, $environment as environment, $event::uuid as event_id, $day::timestamptz as occurred_at,
          'c' as conversation_id, $retrieval as retrieval_id, unnest(range(1, len($kinds::varchar[]) + 1))::integer as ordinal,
          ordinal as rank, 'p' as passage_id, unnest($kinds::varchar[]) as kind, 'text' as text""",
        row | {"retrieval": retrieval, "kinds": list(kinds)},
    )


def frame(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, int, str, str]]:
    """Make the frame; return tenant, retrieval, the end of the event's id, kind and position of each row."""
    connection.execute(sql.load("night/frame.sql"), AT)
    rows = connection.execute("select tenant, retrieval_id, event_id::varchar, kind, position from frame order by all")
    return [(tenant, retrieval, int(event[-12:]), *rest) for tenant, retrieval, event, *rest in rows.fetchall()]


def test_a_retrieval_that_was_reported_twice_counts_once(connection: duckdb.DuckDBPyConnection) -> None:
    """The earliest report stands, of equal ones that with the smallest id; the same id elsewhere is another one."""
    searched(connection, 1, "r", at=5)
    searched(connection, 2, "r", at=3)
    searched(connection, 3, "r", at=3)
    searched(connection, 3, "r", at=9, tenant="b.example")
    searched(connection, 4, "r", at=1, environment="staging")

    rows = frame(connection)

    assert [row[:3] for row in rows] == [("a.example", "r", 2), ("b.example", "r", 3)]


def test_the_kind_is_that_of_all_passages_or_mixed(connection: duckdb.DuckDBPyConnection) -> None:
    """One kind gives its name however many there are, several are mixed, and nothing found is not in the frame."""
    for event, kinds in enumerate(
        [("conversation", "conversation"), ("document",), ("graph", "graph"), ("graph", "document"), ()]
    ):
        searched(connection, event, f"r{event}", kinds=kinds)

    assert [row[3] for row in frame(connection)] == ["conversation", "document", "graph", "mixed"]


def test_the_position_is_of_the_turn_and_how_it_was_searched(connection: duckdb.DuckDBPyConnection) -> None:
    """First, later as typed (also where nothing is said), later as anything else, and unknown without the turn."""
    connection.execute(
        """insert into canonical.turns by name
        select $day::date as day, 'a.example' as tenant, 'production' as environment, uuid() as event_id, $day::timestamptz as occurred_at,
          'c' as conversation_id, 't' || i as turn_id, i::integer as turn_index, 'm' as message
        from range(2) as numbers (i)""",
        {"day": DAY},
    )
    for event, (turn, resolution) in enumerate(
        [("t0", "combined"), ("t1", None), ("t1", "as_typed"), ("t1", "rewritten"), ("t2", None)]
    ):
        searched(connection, event, f"r{event}", turn=turn, resolution=resolution)

    positions = [row[4] for row in frame(connection)]

    assert positions == ["first", "later_as_typed", "later_as_typed", "combined", "unknown"]
