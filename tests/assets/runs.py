"""Run the chain of assets in a process."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import dagster as dg

from assets.alerts import relevance_overview
from assets.checks import fresh, relevance_contract
from assets.marts import MARTS, published_marts
from assets.nightly import ASSETS
from assets.resources import Nightcheck
from pipelines.io.warehouse import Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.night.run import Plan, run_night

CHAIN: list[Any] = [*ASSETS, *MARTS, published_marts]
OVERVIEW: list[Any] = [relevance_overview, relevance_contract, fresh]


def run_day(day: date, nightcheck: Nightcheck, instance: dg.DagsterInstance) -> dg.ExecuteInProcessResult:
    """Materialise the chain for one day."""
    return dg.materialize(CHAIN, partition_key=day.isoformat(), resources={"nightcheck": nightcheck}, instance=instance)


def run_range(
    first: date, last: date, nightcheck: Nightcheck, instance: dg.DagsterInstance
) -> dg.ExecuteInProcessResult:
    """Materialise the chain for a range in a single run, as a backfill does."""
    tags = {
        "dagster/asset_partition_range_start": first.isoformat(),
        "dagster/asset_partition_range_end": last.isoformat(),
    }
    return dg.materialize(CHAIN, tags=tags, resources={"nightcheck": nightcheck}, instance=instance)


def run_from_the_command_line(home: Path, *days: date) -> None:
    """Run nights without Dagster."""
    warehouse = Warehouse(home / "warehouse.duckdb")
    plan = Plan(environments=("production",), seed="s", cap=5)
    for day in days:
        run_night(warehouse, day, LexicalJudge(), plan, now=lambda: datetime(2026, 3, 7, 12, tzinfo=UTC))


def metadata_by_day(result: dg.ExecuteInProcessResult, asset: str) -> dict[str, dict[str, Any]]:
    """Return what an asset's run says of each of its days."""
    return {
        str(event.partition): {name: value.value for name, value in event.materialization.metadata.items()}
        for event in result.get_asset_materialization_events()
        if event.asset_key == dg.AssetKey(asset)
    }
