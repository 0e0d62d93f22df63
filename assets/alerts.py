"""The page to open first: tonight, the trend over all nights, the tenants, what to read, what it cost, what alarms."""

from datetime import date, timedelta
from typing import Any

import dagster as dg
import polars as pl

from assets.marts import published_marts
from assets.nightly import anchor_verdicts
from assets.resources import Nightcheck
from assets.tables import table
from pipelines.alerts.message import headline, unused
from pipelines.alerts.run import find, unused_nights
from pipelines.io.warehouse import Warehouse
from pipelines.marts.costs import cost_in_words
from pipelines.marts.figures import below, nights_taken, share, share_with_interval
from pipelines.marts.instrument import InstrumentNight, NoiseFloor, against_floor, difference_in_words
from pipelines.marts.markdown import brief, literal, reading
from pipelines.marts.reading.run import (
    alarming_on,
    conditions,
    costs,
    instrument_of,
    noise_floors,
    spent,
    trends,
    windows,
)
from pipelines.marts.run import newest_day, read
from pipelines.marts.sparkline import NIGHTS, legend, sparkline
from pipelines.marts.trend import Trend
from pipelines.marts.worst_order import worst_first

#: so many retrievals are shown
_WORST = 8
#: so many of them on the page itself; the others behind a button
_READ = 3
#: letters of a tenant's name that have room beside its rates
_NARROW = 20


@dg.asset(
    group_name="marts",
    deps=[published_marts, anchor_verdicts],
    kinds={"duckdb"},
    pool="duckdb",
    check_specs=[
        dg.AssetCheckSpec(
            "no_rise", asset="relevance_overview", description="No slice's irrelevance has risen beyond noise."
        ),
        dg.AssetCheckSpec(
            "judge_has_not_moved",
            asset="relevance_overview",
            description="The judge grades the frozen passages as it first did, but for chance.",
        ),
    ],
)
def relevance_overview(nightcheck: Nightcheck) -> dg.MaterializeResult:  # type: ignore[type-arg] # dagster rejects the parameter
    """Open this first: how much of what was retrieved last night was irrelevant, how that went, and what to read.

    Irrelevant: the passage has nothing to do with what the visitor wanted to know. All figures are those of the newest
    night that was run, whichever day was run last.
    """
    warehouse, environment = nightcheck.warehouse(), nightcheck.settings().environments[0]
    standing = find(warehouse)
    newest = newest_day(warehouse)
    found = trends(warehouse, newest - timedelta(days=NIGHTS - 1), newest, environment=environment)
    metadata = _tonight(found, newest)
    metadata["alerts"] = dg.MetadataValue.md("\n".join(f"- {literal(headline(alert))}" for alert in standing) or "none")
    metadata |= _worst(warehouse, newest, environment)
    floor = noise_floors(warehouse, newest, environment).get("irrelevant_need")
    metadata["tenants"] = table(_tenants(windows(warehouse, newest, environment), found, floor))
    metadata["coverage and cost"] = dg.MetadataValue.md(_costs(warehouse, newest, environment, found))
    instrument = instrument_of(warehouse, newest)
    metadata["frozen passages"] = (
        str(instrument) if instrument else "none imported: nightcheck judge anchors import FILE"
    )
    unseen = "\n".join(f"- {literal(line)}" for line in unused(unused_nights(warehouse)))
    metadata["nights without a chart"] = dg.MetadataValue.md(unseen) if unseen else None
    return dg.MaterializeResult(
        metadata={name: value for name, value in metadata.items() if value is not None},
        check_results=[
            dg.AssetCheckResult(
                check_name="no_rise",
                passed=not standing,
                severity=dg.AssetCheckSeverity.ERROR,
                metadata={"alerts": len(standing)},
            ),
            _judge_has_not_moved(instrument),
        ],
    )


def _judge_has_not_moved(instrument: InstrumentNight | None) -> dg.AssetCheckResult:
    """Fail once the chart of the frozen passages has called; without any there is nothing that could fail."""
    known: dict[str, Any] = {}
    if instrument is not None:
        known = {"state": instrument.state, "moved": instrument.moved, "of": instrument.passages}
    return dg.AssetCheckResult(
        check_name="judge_has_not_moved",
        passed=instrument is None or instrument.state != "moved",
        severity=dg.AssetCheckSeverity.ERROR,
        metadata=known,
    )


def _tonight(found: dict[str, Trend], newest: date) -> dict[str, Any]:
    """Return the newest night's rate and whose word it is, and how it went."""
    if "*" not in found:
        return {"irrelevant": f"nothing was judged on {newest}"}
    fleet = found["*"]
    night = fleet.nights[-1]
    rate = share_with_interval(night.rate, night.low, night.high)
    changes = "\n".join(f"- {literal(str(change))}" for change in fleet.changes)
    nights = nights_taken(fleet.held, fleet.asked)
    return {
        "irrelevant": f"{rate} of {night.passages:,} judged passages, {night.day}",
        "judge": None if fleet.judge is None else fleet.judge.caveat or fleet.judge.name,
        "difference": None if fleet.difference is None else difference_in_words(fleet.difference, fleet.floor),
        "trend": dg.MetadataValue.md(f"{sparkline(fleet)}\n\n{nights}; {legend(fleet)}"),
        "definition changed": dg.MetadataValue.md(changes) if changes else None,
    }


def _tenants(rates: pl.DataFrame, found: dict[str, Trend], floor: NoiseFloor | None) -> list[dict[str, Any]]:
    """Return a row for each tenant: the night, its difference to the one before, the weeks up to it by one formula."""
    rows: dict[str, dict[str, Any]] = {}
    for rate in rates.iter_rows(named=True):
        row = rows.setdefault(rate["tenant"], {"tenant": _tenant(rate["tenant"])})
        # heads do not break, and the table must fit the page: "14 of 28" is short for what the trend says in full
        taken = nights_taken(rate["held"], rate["nights"])
        taken = "this night" if rate["nights"] == 1 else taken.removesuffix(" nights") if " of " in taken else taken
        # an interval goes on in the next line whole: a browser would break it after its dash
        row[taken] = below(rate["rate"], rate["low"], rate["high"], joint=" ").replace("–", "–\N{WORD JOINER}")
        if rate["nights"] == 1:
            difference = found[rate["tenant"]].difference if rate["tenant"] in found else None
            row["change"] = None if difference is None else against_floor(difference, floor)
    columns = {name: None for row in rows.values() for name in row}
    return [{name: row.get(name) for name in columns} for row in rows.values()]


def _tenant(name: str) -> str:
    """Return a tenant for a narrow column: a name that has no room in it may be broken behind its dots."""
    if name == "*":
        return "all tenants"
    return name if len(name) <= _NARROW else name.replace(".", ".\N{ZERO WIDTH SPACE}")


def _worst(warehouse: Warehouse, day: date, environment: str) -> dict[str, Any]:
    """Return the worst retrievals for reading: the first ones on the page itself, others whole and behind a button."""
    worst = read(warehouse, "worst_retrievals", day, day).filter(pl.col("environment") == environment)
    rows = worst_first(worst, alarming_on(warehouse, day, environment)).head(_WORST).to_dicts()
    shown = {f"read first, {place}": dg.MetadataValue.md(brief(row)) for place, row in enumerate(rows[:_READ], 1)}
    if rows[_READ:]:
        shown[f"read next, {_READ + 1} to {len(rows)}"] = dg.MetadataValue.md(reading(rows[_READ:]))
    return shown


def _costs(warehouse: Warehouse, day: date, environment: str, found: dict[str, Trend]) -> str:
    """Return as a list what share has a grade, what was drawn of what, whose word it is, and what it took."""
    became = costs(warehouse, day, environment)
    how = conditions(warehouse, day)
    lines = []
    if "*" in found:
        lines.append(f"{share(found['*'].nights[-1].coverage)} of the sampled passages have a grade")
    if how is not None:
        lines += [how.drawn, f"judged {how.judged_by}"]
    verdicts = [f"{row['retrievals']:,} {row['status'].replace('_', ' ')}" for row in became.iter_rows(named=True)]
    lines += [f"verdicts: {', '.join(verdicts) or 'none'}", cost_in_words(became, spent(warehouse, day))]
    return "\n".join(f"- {literal(line)}" for line in lines)
