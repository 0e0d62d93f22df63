"""The page to open first: the trend over all nights, the tenants, the alerts that stand."""

from typing import Any

import dagster as dg
import polars as pl

from assets.marts import published_marts
from assets.resources import Nightcheck
from pipelines.alerts.message import headline
from pipelines.alerts.run import find
from pipelines.marts.run import newest_day, read
from pipelines.marts.sparkline import sparkline

_NIGHTS = 30


@dg.asset(
    group_name="marts",
    deps=[published_marts],
    kinds={"duckdb"},
    pool="duckdb",
    check_specs=[
        dg.AssetCheckSpec(
            "no_rise", asset="relevance_overview", description="No slice's irrelevance has risen beyond noise."
        )
    ],
)
def relevance_overview(nightcheck: Nightcheck) -> dg.MaterializeResult:  # type: ignore[type-arg] # dagster rejects the parameter
    """Open this first: irrelevance over the last nights, night by night and tenant by tenant, and what alarms."""
    warehouse = nightcheck.warehouse()
    standing = find(warehouse)
    newest = newest_day(warehouse)
    nights = read(warehouse, "relevance_daily", newest.replace(year=newest.year - 1), newest).filter(
        pl.col("slice") == "all", pl.col("measure") == "irrelevant_need"
    )
    fleet = nights.filter(pl.col("tenant") == "*").tail(_NIGHTS)
    tonight = nights.filter(pl.col("day") == newest)
    metadata: dict[str, Any] = {
        "newest night": newest.isoformat(),
        "trend": dg.MetadataValue.md(sparkline(fleet["rate"].to_list())),
        "alerts": dg.MetadataValue.md("\n".join(f"- {headline(alert)}" for alert in standing) or "none"),
        "alerts standing": len(standing),
    }
    if not tonight.is_empty():
        metadata["tenants"] = _tenants(tonight, nights)
    return dg.MaterializeResult(
        metadata=metadata,
        check_results=[
            dg.AssetCheckResult(
                check_name="no_rise",
                passed=not standing,
                severity=dg.AssetCheckSeverity.ERROR,
                metadata={"alerts": len(standing)},
            )
        ],
    )


def _tenants(tonight: pl.DataFrame, nights: pl.DataFrame) -> dg.TableMetadataValue:
    records = []
    for row in tonight.iter_rows(named=True):
        before = nights.filter(pl.col("tenant") == row["tenant"]).tail(_NIGHTS)["rate"].mean()
        records.append(
            dg.TableRecord(
                {
                    "tenant": row["tenant"],
                    "irrelevant": _share(row["rate"]),
                    "interval": f"{_share(row['low'])} to {_share(row['high'])}",
                    f"mean of {_NIGHTS} nights": _share(before if isinstance(before, float) else None),
                    "passages": row["passages"],
                    "coverage": _share(row["coverage"]),
                }
            )
        )
    return dg.MetadataValue.table(records=records)


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.1%}"
