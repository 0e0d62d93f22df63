"""Make the marts of a day from what was judged and measured; check and read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl

from pipelines.errors import NightcheckError
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.marts.catalog import Check, checks, in_order, known
from schemas import sql


class NoNightError(NightcheckError):
    """No night has been run yet."""

    def __init__(self) -> None:
        super().__init__("the marts", "no night has been run yet", "Run one: nightcheck night --day D")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What a check found: the offending rows, none where it passed."""

    check: Check
    rows: list[dict[str, Any]]

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.rows


def make(warehouse: Warehouse, day: date, marts: Sequence[str] | None = None) -> dict[str, int]:
    """Make marts of a day anew in one transaction, all of them where none is named; return the rows of each.

    Naming none finishes the night: the day is marked as published. Otherwise call `finish` when all are made.
    """
    wanted = [mart for mart in in_order() if marts is None or mart in marts]
    rows = {}
    with warehouse.write() as connection:
        for mart in wanted:
            connection.execute(f"delete from marts.{known(mart)} where day = $day", {"day": day})  # noqa: S608 - known
            insert = f"insert into marts.{known(mart)} by name\n{sql.load(f'marts/{mart}/query.sql')}"
            ((rows[mart],),) = connection.execute(insert, {"first_day": day, "last_day": day}).fetchall()
        if marts is None:
            _finish(connection, day)
    return rows


def finish(warehouse: Warehouse, day: date) -> None:
    """Mark the night of a day as published; it is dirty from the next event on that falls on the day."""
    with warehouse.write() as connection:
        _finish(connection, day)


def _finish(connection: Connection, day: date) -> None:
    connection.execute(sql.load("night/mark_published.sql"), {"day": day})
    connection.execute(sql.load("alerts/forget_sums.sql"), {"days": [day]})


def check(warehouse: Warehouse, day: date, mart: str, *, at_most: int = 20) -> list[CheckResult]:
    """Run a mart's checks on a day; each result holds at most so many offending rows."""
    results = []
    with warehouse.read() as connection:
        for each in checks(mart):
            found = connection.sql(each.query, params={"day": day}).limit(at_most).pl().to_dicts()
            results.append(CheckResult(check=each, rows=found))
    return results


def read(warehouse: Warehouse, mart: str, first_day: date, last_day: date, tenant: str | None = None) -> pl.DataFrame:
    """Return the stored rows of a mart for the days from first to last, for one tenant or all, in a fixed order."""
    text = (
        f"from marts.{known(mart)} where day between $first_day and $last_day "
        "and (tenant = $tenant or $tenant is null) order by all"
    )
    with warehouse.read() as connection:
        parameters = {"first_day": first_day, "last_day": last_day, "tenant": tenant}
        rows: pl.DataFrame = connection.sql(text, params=parameters).pl()
    return rows


def over(warehouse: Warehouse, mart: str, first_day: date, last_day: date) -> pl.DataFrame:
    """Return what a mart says of several days taken together: the same formula over the union of the days."""
    with warehouse.read() as connection:
        query = sql.load(f"marts/{known(mart)}/query.sql")
        rows: pl.DataFrame = connection.sql(query, params={"first_day": first_day, "last_day": last_day}).pl()
    return rows


def newest_day(warehouse: Warehouse) -> date:
    """Return the newest day whose marts were made; raises `NoNightError` where there is none."""
    with warehouse.read() as connection:
        ((day,),) = connection.execute(sql.load("night/newest_day.sql")).fetchall()
    if day is None:
        raise NoNightError
    newest: date = day
    return newest
