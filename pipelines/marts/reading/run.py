"""Read from the warehouse what a trend or a report shows."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import polars as pl

from pipelines.alerts.message import headline
from pipelines.errors import UsageError
from pipelines.io.warehouse import Warehouse
from pipelines.marts.instrument import InstrumentNight, NoiseFloor, against_floor, difference_in_words
from pipelines.marts.judged_by import judged_by
from pipelines.marts.report import Conditions, Report
from pipelines.marts.run import over, read
from pipelines.marts.trend import DefinitionChange, Rise, Trend, series
from schemas import sql

#: a report shows so many nights
REPORT_NIGHTS = 56
#: the nights that a table takes together, in a column each
WINDOWS = (7, 28)


def published_nights(warehouse: Warehouse) -> list[date]:
    """Return the days whose night was run to its end, oldest first."""
    with warehouse.read() as connection:
        return [day for (day,) in connection.execute(sql.load("night/published.sql")).fetchall()]


def held_of(run: Sequence[date], first: date, last: date) -> int:
    """Return how many of the nights that were run are from first to last."""
    return sum(first <= day <= last for day in run)


def definition_changes(warehouse: Warehouse, first: date, last: date) -> tuple[DefinitionChange, ...]:
    """Return where consecutive nights were made by another judge, model, rubric or formula, oldest first."""
    with warehouse.read() as connection:
        rows = connection.execute(
            sql.load("night/definition_changes.sql"), {"first_day": first, "last_day": last}
        ).fetchall()
    return tuple(DefinitionChange(day=day, what=what, before=before, after=after) for day, what, before, after in rows)


def noise_floors(warehouse: Warehouse, day: date, environment: str) -> dict[str, NoiseFloor]:
    """Return by measure how far the judge of a night moves a rate by judging again, where that was measured."""
    with warehouse.read() as connection:
        parameters = {"day": day, "environment": environment}
        rows = connection.execute(sql.load("night/noise_floors.sql"), parameters).fetchall()
    return {
        measure: NoiseFloor(day=measured, difference=difference, standard_error=error)
        for measure, measured, difference, error in rows
    }


def with_differences(warehouse: Warehouse, rows: pl.DataFrame) -> pl.DataFrame:
    """Add to rows of the relevance mart, of one day, how far each rate is from the night before, in points.

    The new column `change` stands after the rate, in brackets the noise floor where one was measured; null where either
    night has no rate, or where the two were not made alike.
    """
    if rows.is_empty():
        return rows
    day: date = rows["day"][0]
    if any(change.of_rates for change in definition_changes(warehouse, day, day)):
        before = rows.clear()
    else:
        before = read(warehouse, "relevance_daily", day - timedelta(days=1), day - timedelta(days=1))
    places = ["environment", "tenant", "slice", "value", "measure"]
    known = {row[:-1]: row[-1] for row in before.select(*places, "rate").iter_rows()}
    floors = {each: noise_floors(warehouse, day, each) for each in rows["environment"].unique()}

    def said(row: Mapping[str, Any]) -> str | None:
        earlier = known.get(tuple(row[name] for name in places))
        if earlier is None or row["rate"] is None:
            return None
        return against_floor(row["rate"] - earlier, floors[row["environment"]].get(row["measure"]))

    differences = [said(row) for row in rows.iter_rows(named=True)]
    at = rows.columns.index("high") + 1 if "high" in rows.columns else len(rows.columns)
    return rows.insert_column(at, pl.Series("change", differences, dtype=pl.String))


def instrument_of(warehouse: Warehouse, day: date) -> InstrumentNight | None:
    """Return how the judge of a night stands by its own chart; None where there are no frozen passages to watch it."""
    with warehouse.read() as connection:
        rows = connection.sql(sql.load("alerts/instrument_of_night.sql"), params={"day": day}).pl().to_dicts()
    return InstrumentNight(**rows[0]) if rows else None


def rises(warehouse: Warehouse, environment: str) -> list[tuple[str, Rise]]:
    """Return every rise that was found, with its tenant, newest first; one that only the judge made is none."""
    with warehouse.read() as connection:
        found = connection.sql(sql.load("alerts/list.sql"), params={"tenant": None}).pl()
    return [
        (alert["tenant"], Rise(since=alert["since"], last_day=alert["last_day"], headline=headline(alert)))
        for alert in found.filter(pl.col("environment") == environment, ~pl.col("instrument_moved")).iter_rows(
            named=True
        )
    ]


def alarming_on(warehouse: Warehouse, day: date, environment: str) -> frozenset[str]:
    """Return the tenants of which an alert stood on the night of a day."""
    return frozenset(tenant for tenant, rise in rises(warehouse, environment) if rise.since <= day <= rise.last_day)


def trends(
    warehouse: Warehouse, first: date, last: date, *, environment: str, measure: str = "irrelevant_need"
) -> dict[str, Trend]:
    """Return the nightly rates of every tenant that has any in these days, all of them together (`*`) first.

    They begin with the first night that any tenant has, and know how many days were asked for.
    """
    rows = _rates(warehouse, measure, first, last).filter(pl.col("environment") == environment)
    begin = min(rows["day"].to_list(), default=first)
    changes, risen = definition_changes(warehouse, begin, last), rises(warehouse, environment)
    floor = noise_floors(warehouse, max(rows["day"].to_list(), default=last), environment).get(measure)
    return {
        tenant: series(
            tenant,
            rows.filter(pl.col("tenant") == tenant).iter_rows(named=True),
            begin,
            last,
            changes=changes,
            rises=[rise for whose, rise in risen if tenant in ("*", whose)],
            floor=floor,
            measure=measure,
            asked=(last - first).days + 1,
            judge=judged_by(rows.filter(pl.col("tenant") == tenant, pl.col("day") == pl.col("day").max())),
        )
        for tenant in sorted(rows["tenant"].unique())
    }


def _rates(warehouse: Warehouse, measure: str, first: date, last: date) -> pl.DataFrame:
    """Return the nightly rates of all passages: a measure of relevance_daily, or `fault_` and one of fault_daily."""
    fault = measure.removeprefix("fault_")
    if fault != measure:
        rows = read(warehouse, "fault_daily", first, last).filter(pl.col("fault") == fault)
    else:
        rows = read(warehouse, "relevance_daily", first, last).filter(pl.col("measure") == measure)
    return rows.filter(pl.col("slice") == "all")


def trend(
    warehouse: Warehouse, tenant: str, first: date, last: date, *, environment: str, measure: str = "irrelevant_need"
) -> Trend:
    """Return the nightly rates of one tenant; raises `UsageError` where it has none in these days."""
    found = trends(warehouse, first, last, environment=environment, measure=measure)
    if tenant not in found:
        there_are = ", ".join(found) or "none: run some nights, or name other days"
        raise UsageError(f"tenant {tenant!r}", f"it has no night from {first} to {last}", f"There are: {there_are}")
    return found[tenant]


def windows(warehouse: Warehouse, day: date, environment: str) -> pl.DataFrame:
    """Return for each tenant the rate of the night and of the nights up to it taken together, by the same formula.

    One row a tenant and window; columns tenant, nights (1, 7, 28), held (how many of them were run), rate, low, high,
    passages, coverage.
    """
    run = published_nights(warehouse)
    taken = [(1, read(warehouse, "relevance_daily", day, day))]
    taken += [(nights, over(warehouse, "relevance_daily", day - timedelta(days=nights - 1), day)) for nights in WINDOWS]
    return pl.concat(
        rows.filter(
            pl.col("environment") == environment, pl.col("slice") == "all", pl.col("measure") == "irrelevant_need"
        ).select(
            "tenant",
            pl.lit(nights).alias("nights"),
            pl.lit(held_of(run, day - timedelta(days=nights - 1), day)).alias("held"),
            *("rate", "low", "high", "passages", "coverage"),
        )
        for nights, rows in taken
    ).sort("tenant", "nights")


def costs(warehouse: Warehouse, day: date, environment: str) -> pl.DataFrame:
    """Return what became of the day's sample and what its verdicts took.

    Columns status, retrievals, calls, prompt_tokens, cached_tokens, completion_tokens.
    """
    with warehouse.read() as connection:
        parameters = {"day": day, "environment": environment}
        rows: pl.DataFrame = connection.sql(sql.load("night/costs.sql"), params=parameters).pl()
    return rows


def spent(warehouse: Warehouse, day: date) -> float:
    """Return what a night has cost over all its runs, in the currency of the price table."""
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("night/spent.sql"), {"day": day}).fetchall()
    return float(sum(cost for _, cost in rows))


def conditions(warehouse: Warehouse, day: date) -> Conditions | None:
    """Return how the night of a day was run, or None where it was not."""
    with warehouse.read() as connection:
        rows = connection.sql(sql.load("night/conditions.sql"), params={"day": day}).pl().to_dicts()
    return Conditions(**rows[0]) if rows else None


def report(warehouse: Warehouse, day: date, environment: str) -> Report:
    """Read everything that the report of a night shows; raises `UsageError` where the night was not run."""
    run = conditions(warehouse, day)
    if run is None:
        raise UsageError(f"the night of {day}", "it was not run", f"Run it: nightcheck night --day {day}")
    found = trends(warehouse, day - timedelta(days=REPORT_NIGHTS - 1), day, environment=environment)
    marts = {
        mart: read(warehouse, mart, day, day).filter(pl.col("environment") == environment)
        for mart in (
            "relevance_daily",
            "fault_daily",
            "worst_retrievals",
            "gate_daily",
            "disclaim_daily",
            "answer_outcomes_daily",
        )
    }
    instrument = instrument_of(warehouse, day)
    notes = [] if "*" not in found or found["*"].difference is None else [_difference(found["*"])]
    return Report(
        day=day,
        environment=environment,
        conditions=run,
        notes=tuple(notes + ([f"The frozen passages: {instrument}."] if instrument else [])),
        trends=tuple(found.values()),
        windows=windows(warehouse, day, environment),
        relevance=marts["relevance_daily"],
        faults=marts["fault_daily"],
        worst=marts["worst_retrievals"],
        gate=marts["gate_daily"],
        disclaims=marts["disclaim_daily"],
        outcomes=marts["answer_outcomes_daily"],
        costs=costs(warehouse, day, environment),
        cost=spent(warehouse, day),
        alarming=alarming_on(warehouse, day, environment),
        alerts=tuple(rise.headline for _, rise in rises(warehouse, environment) if rise.since <= day <= rise.last_day),
    )


def _difference(fleet: Trend) -> str:
    return f"{difference_in_words(fleet.difference or 0.0, fleet.floor)}."
