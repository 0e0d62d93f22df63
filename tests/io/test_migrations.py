"""A live warehouse becomes, by its migrations, what a fresh one is."""

import re
from pathlib import Path

import pytest

from pipelines.io.warehouse import Connection, Warehouse
from schemas import sql
from tests.io.structure import structure, tables

HERE = Path(__file__).parent
MIGRATIONS = sorted(sql.migrations())


def _as_it_was(connection: Connection, number: int) -> None:
    """Turn a fresh warehouse into one of the version that has seen only the first migrations."""
    done: set[str] = set()
    for name in MIGRATIONS[number:]:  # a table that several migrations change was before the first of them as that says
        earlier = (HERE / "earlier" / f"{name[:4]}.sql").read_text(encoding="utf-8")
        for table, statement in re.findall(r"(?s)(?:create table if not exists )(\S+) (\(.*?\n\));", earlier):
            if table not in done:
                connection.execute(f"drop table if exists {table}")
                connection.execute(f"create table {table} {statement}")
                done.add(table)
        connection.execute("delete from ops.migrations where name = $name", {"name": name})
    connection.execute("update ops.settings set value = 'an earlier one' where name = 'contract'")


def _fresh(path: Path) -> Warehouse:
    warehouse = Warehouse(path)
    with warehouse.write():
        pass
    return warehouse


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the structure of a fresh warehouse."""
    with _fresh(tmp_path_factory.mktemp("fresh") / "warehouse.duckdb").read() as connection:
        return structure(connection)


@pytest.mark.parametrize("number", range(len(MIGRATIONS)), ids=MIGRATIONS)
def test_a_migrated_warehouse_equals_a_fresh_one(tmp_path: Path, expected: list[str], number: int) -> None:
    """Tables, columns in their order, types, constraints, indexes, macros and comments are the same."""
    path = tmp_path / "warehouse.duckdb"
    with _fresh(path).write() as connection:
        _as_it_was(connection, number)
        assert structure(connection) != expected

    with Warehouse(path).write():
        pass

    with Warehouse(path).read() as connection:
        assert structure(connection) == expected


def test_a_warehouse_that_was_made_between_two_migrations(tmp_path: Path, expected: list[str]) -> None:
    """One that has the new tables already, and was not told of the migration, keeps them and what is in them."""
    path = tmp_path / "warehouse.duckdb"
    with _fresh(path).write() as connection:
        connection.execute(
            "insert into alerts.notices values ('n', 'fleet', 'production', '2026-11-29', '2026-11-29', 'opened', 'told', "
            "['help.example.com'], ['r-1'], true, null)"
        )
        connection.execute("delete from ops.migrations")
        connection.execute("update ops.settings set value = 'an earlier one' where name = 'contract'")

    with Warehouse(path).write():
        pass

    with Warehouse(path).read() as connection:
        assert structure(connection) == expected
        assert connection.execute("select tenants, worst from alerts.notices").fetchall() == [
            (["help.example.com"], ["r-1"])
        ]


def test_rows_outlive_a_migration(tmp_path: Path) -> None:
    """Notices that people were told, and the figures of published days, are there afterwards."""
    path = tmp_path / "warehouse.duckdb"
    with _fresh(path).write() as connection:
        _as_it_was(connection, 0)
        connection.execute(
            "insert into alerts.notices values ('n', 'fleet', 'production', '2026-11-29', '2026-11-29', 'opened', 'told', true, null)"
        )
        connection.execute(
            "insert into marts.gate_daily values ('2026-11-29', 'production', '*', 'all', '*', 'decision', 'fired', '*', 1, 2, 0.5, "
            "null, null, '1')"
        )
        connection.execute(
            "insert into marts.relevance_daily values ('2026-11-29', 'production', '*', 'all', 'all', 'fault_query', 0.25, 0.1, 0.4, 8, 4, "
            "6.0, 2, 1.0, 0.25, 0.25, 0, '1', 'labels', 'people', 'r1')"
        )

    with Warehouse(path).write():
        pass

    with Warehouse(path).read() as connection:
        assert connection.execute("select text, tenants, worst from alerts.notices").fetchall() == [("told", ["*"], [])]
        assert connection.execute("select value, n, total from marts.gate_daily").fetchall() == [("fired", 1, 2)]
        assert connection.execute("select fault, rate, hits from marts.fault_daily").fetchall() == [("query", 0.25, 2)]
        assert connection.execute("select measure from marts.relevance_daily").fetchall() == []


@pytest.mark.golden
def test_a_changed_table_has_a_migration(tmp_path: Path) -> None:
    """A table that stands in live warehouses is not changed by its DDL alone: that would change fresh ones only.

    After adding the migration, and the tables as they were before it to `tests/io/earlier`, accept the new ones with
    `python -m tests.io.structure > tests/io/structure.txt`; for a table that is new, that is all.
    """
    with _fresh(tmp_path / "warehouse.duckdb").read() as connection:
        assert tables(connection) == (HERE / "structure.txt").read_text(encoding="utf-8").splitlines()
