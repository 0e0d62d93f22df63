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
from pipelines.marts.figures import compact, share_with_interval
from pipelines.marts.instrument import InstrumentNight, NoiseFloor, against_floor, difference_in_words
from pipelines.marts.markdown import brief, literal, reading
from pipelines.marts.reading.run import costs, instrument_of, noise_floors, spent, trends, windows
from pipelines.marts.run import newest_day, read
from pipelines.marts.sparkline import NIGHTS, sparkline
from pipelines.marts.trend import Trend

#: so many retrievals are shown
_WORST = 8
#: so many of them with their passages on the page itself; the others behind a button
_READ = 3


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
    metadata: dict[str, Any] = {"newest night": newest.isoformat()}
    metadata |= _tonight(found)
    metadata["alerts"] = dg.MetadataValue.md("\n".join(f"- {literal(headline(alert))}" for alert in standing) or "none")
    unseen = "\n".join(f"- {literal(line)}" for line in unused(unused_nights(warehouse)))
    metadata["nights without a chart"] = dg.MetadataValue.md(unseen) if unseen else None
    instrument = instrument_of(warehouse, newest)
    metadata["frozen passages"] = (
        str(instrument) if instrument else "none imported: nightcheck judge anchors import FILE"
    )
    floor = noise_floors(warehouse, newest, environment).get("irrelevant_need")
    metadata["tenants"] = table(_tenants(windows(warehouse, newest, environment), found, floor))
    metadata |= _worst(warehouse, newest, environment, {alert["tenant"] for alert in standing})
    metadata["cost"] = spent(warehouse, newest) or None
    metadata["coverage and cost"] = table(_costs(costs(warehouse, newest, environment)))
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


def _tonight(found: dict[str, Trend]) -> dict[str, Any]:
    """Return the newest night's rate in words, as numbers that are plotted, and as the end of the trend's picture."""
    if "*" not in found:
        return {"irrelevant": "nothing was judged"}
    fleet = found["*"]
    night = fleet.nights[-1]
    changes = "\n".join(f"- {literal(str(change))}" for change in fleet.changes)
    return {
        "irrelevant": share_with_interval(night.rate, night.low, night.high)
        + f" of {night.passages:,} judged passages",
        "difference": None if fleet.difference is None else difference_in_words(fleet.difference, fleet.floor),
        "irrelevant rate": night.rate,
        "coverage": night.coverage,
        _legend(fleet): dg.MetadataValue.md(sparkline(fleet)),
        "definition changed": dg.MetadataValue.md(changes) if changes else None,
    }


def _legend(fleet: Trend) -> str:
    """Return what the picture of the trend shows, as the label beside it."""
    marks = ["band: 95 % interval"]
    marks += ["red bar: an alert stood"] if fleet.alarming else []
    marks += ["grey line: definition changed"] if fleet.breaks else []
    return f"trend of {len(fleet.nights)} nights, 0 to {fleet.top:.0%} ({', '.join(marks)})"


def _tenants(rates: pl.DataFrame, found: dict[str, Trend], floor: NoiseFloor | None) -> list[dict[str, Any]]:
    """Return a row for each tenant: the night, its difference to the one before, the weeks up to it by one formula."""
    rows: dict[str, dict[str, Any]] = {}
    for rate in rates.iter_rows(named=True):
        row = rows.setdefault(rate["tenant"], {"tenant": "all tenants" if rate["tenant"] == "*" else rate["tenant"]})
        taken = "this night" if rate["nights"] == 1 else f"{rate['nights']} nights"
        row[taken] = compact(rate["rate"], rate["low"], rate["high"])
        if rate["nights"] == 1:
            difference = found[rate["tenant"]].difference if rate["tenant"] in found else None
            row["change (noise floor)"] = None if difference is None else against_floor(difference, floor)
    return [{name: row.get(name) for name in _TENANT_COLUMNS} for row in rows.values()]


_TENANT_COLUMNS = ("tenant", "this night", "change (noise floor)", "7 nights", "28 nights")


def _worst(warehouse: Warehouse, day: date, environment: str, alarming: set[str]) -> dict[str, Any]:
    """Return the worst retrievals in a line each and for reading.

    Those of tenants with an alert come first; every tenant's worst comes before any tenant's second.
    """
    worst = read(warehouse, "worst_retrievals", day, day).filter(pl.col("environment") == environment)
    of_alert, share = pl.col("tenant").is_in(alarming), pl.col("irrelevant") / pl.col("judged")
    order = worst.sort("place", of_alert, share, "irrelevant", "tenant", descending=[False, True, True, True, False])
    rows = order.head(_WORST).to_dicts()
    if not rows:
        return {}
    lines = [
        {
            "tenant": row["tenant"],
            "irrelevant": f"{row['irrelevant']} of {row['judged']}, the {row['fault']} broke",
            "searched": row["searched_query"][:80],
        }
        for row in rows
    ]
    read_first = {f"read first, {place}": dg.MetadataValue.md(brief(row)) for place, row in enumerate(rows[:_READ], 1)}
    in_full = {"their passages, grades, evidence": dg.MetadataValue.md(reading(rows))}
    return read_first | {"worst retrievals": table(lines)} | in_full


def _costs(found: pl.DataFrame) -> list[dict[str, Any]]:
    """Return what became of the sample and what it took, under heads that have room beside each other."""
    heads = {"prompt_tokens": "tokens in", "cached_tokens": "of them cached", "completion_tokens": "tokens out"}
    return found.rename(heads).to_dicts()
