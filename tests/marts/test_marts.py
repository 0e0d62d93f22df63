"""Every mart: its folder is complete, its query fits its table, its cases hold, its checks fire."""

from pathlib import Path

import duckdb
import pytest

from pipelines.marts.catalog import MARTS, checks
from schemas import sql
from tests.marts.cases import DAY, check_cases, compare, fired, load, make, mart_cases, read_case

CASES = [(mart, folder) for mart in MARTS for folder in mart_cases(mart)]
CHECK_CASES = [(mart, folder) for mart in MARTS for folder in check_cases(mart)]


@pytest.mark.parametrize("mart", MARTS)
def test_a_mart_is_complete(mart: str) -> None:
    """A table, a query, a check, a case, and for every check a case that makes it fire."""
    files = set(sql.files(f"marts/{mart}"))

    assert {f"marts/{mart}/table.sql", f"marts/{mart}/query.sql"} <= files
    assert checks(mart), f"add schemas/marts/{mart}/checks/<check>.sql"
    assert mart_cases(mart), f"add tests/marts/{mart}/<case>/expect.csv"
    assert {folder.name for folder in check_cases(mart)} == {check.name for check in checks(mart)}


@pytest.mark.parametrize("mart", MARTS)
def test_the_query_returns_what_the_table_promises(mart: str) -> None:
    """The same columns of the same types, whatever their order."""
    with duckdb.connect() as connection:
        for statements in sql.contracts().values():
            connection.execute(statements)
        promised = connection.sql(f"from marts.{mart}")
        query = connection.sql(sql.load(f"marts/{mart}/query.sql"), params={"first_day": DAY, "last_day": DAY})

        returned = dict(zip(query.columns, map(str, query.types), strict=True))

        assert returned == dict(zip(promised.columns, map(str, promised.types), strict=True))


@pytest.mark.golden
@pytest.mark.parametrize(("mart", "folder"), CASES, ids=lambda each: getattr(each, "name", each))
def test_a_case_of_a_mart_holds(mart: str, folder: Path) -> None:
    """The rows are those worked out by hand, and no check finds anything in them."""
    case = read_case(folder)
    with duckdb.connect() as connection:
        load(connection, case)
        make(connection, case, mart)
        rows = connection.sql(f"from marts.{mart}").pl().to_dicts()
        found = fired(connection, case, mart)

    compare(
        [row for row in rows if all(str(row[name]) == value for name, value in case.only.items())], case.rows("expect")
    )
    assert set(found) <= ({"complete"} if folder.name.startswith("incomplete") else set())


@pytest.mark.golden
@pytest.mark.parametrize(("mart", "folder"), CHECK_CASES, ids=lambda each: getattr(each, "name", each))
def test_a_check_fires(mart: str, folder: Path) -> None:
    """The check named like the folder finds the rows that offend, and no other check finds any."""
    case = read_case(folder)
    with duckdb.connect() as connection:
        load(connection, case)

        found = fired(connection, case, mart)

    assert list(found) == [folder.name]
    compare(found[folder.name], case.rows("expect"))
