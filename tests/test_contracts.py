"""A table's contract is its DDL, and every query keeps it."""

from pathlib import Path

import pytest

from pipelines.io.warehouse import Warehouse
from pipelines.marts.catalog import MARTS, checks
from schemas import sql


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Return an empty warehouse."""
    made = Warehouse(tmp_path_factory.mktemp("contracts") / "warehouse.duckdb")
    with made.write():
        pass
    return made


@pytest.mark.parametrize("mart", MARTS)
def test_a_mart_has_checks_that_say_what_they_hold(mart: str) -> None:
    """A mart without a check promises nothing; one without words cannot be read in the UI."""
    assert checks(mart)
    assert [check.name for check in checks(mart) if not check.description] == []


@pytest.mark.parametrize("table", [f"marts.{mart}" for mart in MARTS])
def test_every_mart_says_what_it_is(warehouse: Warehouse, table: str) -> None:
    """The table has a comment."""
    schema, _, name = table.partition(".")
    with warehouse.read() as connection:
        comments = connection.execute(sql.load("ops/table_comment.sql"), {"schema": schema, "name": name}).fetchall()

    assert comments[0][0]


def test_a_table_can_be_run_twice(tmp_path: Path) -> None:
    """Every `table.sql` may meet a warehouse that has it already."""
    warehouse = Warehouse(tmp_path / "w.duckdb")
    with warehouse.write() as connection:
        for statements in sql.contracts().values():
            connection.execute(statements)
