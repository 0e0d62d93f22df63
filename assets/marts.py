"""Every mart as an asset, made from its folder: its name, lineage, description, columns and checks are read there."""

from datetime import date
from typing import Any

import dagster as dg
import polars as pl

from assets.days import days_of
from assets.nightly import MAKERS
from assets.partitions import DAYS, ONE_RUN
from assets.resources import Nightcheck
from assets.tables import mart_table, table
from pipelines.io.warehouse import Warehouse, describe
from pipelines.marts.catalog import checks, in_order, sources
from pipelines.marts.judged_by import judged_by
from pipelines.marts.main_rows import main_rows
from pipelines.marts.markdown import reading
from pipelines.marts.publishing.run import publish
from pipelines.marts.reading.run import alarming_on
from pipelines.marts.run import check, finish, make, read
from pipelines.marts.side_by_side import ROOMY, side_by_side
from pipelines.marts.worst_order import worst_first
from pipelines.night.run import alone


def _lineage(mart: str) -> list[dg.AssetKey]:
    return sorted({_asset_of(table) for table in sources(mart)})


def _asset_of(table: str) -> dg.AssetKey:
    """Return the asset that makes a table: one of the night, a mart, or one made outside Dagster."""
    if table.startswith("marts."):
        return dg.AssetKey(table.removeprefix("marts."))
    return MAKERS.get(table, dg.AssetKey(table.split(".")))


def _mart(mart: str) -> dg.AssetsDefinition:
    comment, columns = describe(f"marts.{mart}")

    @dg.asset(
        name=mart,
        group_name="marts",
        description=comment,
        deps=_lineage(mart),
        partitions_def=DAYS,
        backfill_policy=ONE_RUN,
        kinds={"duckdb"},
        pool="duckdb",
        metadata={
            "dagster/table_name": f"marts.{mart}",
            "dagster/column_schema": dg.TableSchema(
                columns=[dg.TableColumn(name, kind, description=text) for name, kind, text in columns]
            ),
        },
        check_specs=[dg.AssetCheckSpec(each.name, asset=mart, description=each.description) for each in checks(mart)],
    )
    def asset(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> dg.MaterializeResult:  # type: ignore[type-arg] # dagster rejects the parameter
        warehouse, environment = nightcheck.warehouse(), nightcheck.settings().environments[0]
        days = days_of(context)
        for day in days:
            with alone(warehouse, day):
                make(warehouse, day, [mart])
            context.add_asset_metadata(shown(warehouse, mart, day, environment), partition_key=day.isoformat())
        return dg.MaterializeResult(check_results=_check_results(warehouse, mart, days))

    return asset


def _check_results(warehouse: Warehouse, mart: str, days: list[date]) -> list[dg.AssetCheckResult]:
    """Return one result per check over all days of the run; a warning about the day, not a reason to stop it."""
    found: dict[str, list[dict[str, Any]]] = {each.name: [] for each in checks(mart)}
    for day in days:
        for result in check(warehouse, day, mart):
            found[result.check.name] += [{"day": day.isoformat()} | row for row in result.rows]
    return [
        dg.AssetCheckResult(
            check_name=name,
            passed=not rows,
            severity=dg.AssetCheckSeverity.WARN,
            metadata={"offending rows": len(rows), "days": len(days)} | ({"rows": table(rows)} if rows else {}),
        )
        for name, rows in found.items()
    ]


def shown(warehouse: Warehouse, mart: str, day: date, environment: str) -> dict[str, Any]:
    """Return what a mart's page shows of a day: its rows, and the environment's figures, plotted over the days."""
    rows = read(warehouse, mart, day, day)
    metadata: dict[str, Any] = {"dagster/partition_row_count": len(rows)}
    judge = judged_by(rows)
    metadata["judge"] = None if judge is None else judge.caveat or judge.name
    metadata |= _plotted(mart, rows.filter(environment=environment, tenant="*"))
    first_rows = main_rows(mart, rows)
    lines = None if rows.is_empty() else side_by_side(mart, first_rows, width=ROOMY)
    heads = () if lines is None else ("tenant", *lines.heads[1:])
    metadata["table"] = (
        mart_table(first_rows) if lines is None else table([dict(zip(heads, line, strict=True)) for line in lines.rows])
    )
    if mart == "worst_retrievals" and not rows.is_empty():
        by_badness = worst_first(first_rows, alarming_on(warehouse, day, environment))
        metadata["their passages, grades, evidence"] = dg.MetadataValue.md(reading(by_badness.iter_rows(named=True)))
    return {name: value for name, value in metadata.items() if value is not None}


def _plotted(mart: str, everyone: pl.DataFrame) -> dict[str, float | None]:
    """Return the figures of all tenants together that are plotted over the days."""
    match mart:
        case "relevance_daily":
            whole = everyone.filter(slice="all")
            rates = {row["measure"]: row["rate"] for row in whole.iter_rows(named=True)}
            return rates | {"coverage": min(whole["coverage"].to_list(), default=None)}
        case "fault_daily":
            return {f"share {row['fault']}": row["rate"] for row in everyone.filter(slice="all").iter_rows(named=True)}
        case "answer_outcomes_daily":
            whole = everyone.filter(turn="all", language="*")
            return {row["outcome"].replace("_", " "): row["rate"] for row in whole.iter_rows(named=True)}
        case "disclaim_daily":
            whole = everyone.filter(turn="all", language="*")
            return {"disclaim rate": max(whole["rate"].to_list(), default=None)}
        case _:
            return {}


MARTS = [_mart(mart) for mart in in_order()]


@dg.asset(
    group_name="marts",
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    deps=[dg.AssetKey(mart) for mart in in_order()],
    kinds={"parquet", "duckdb"},
    pool="duckdb",
)
def published_marts(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """What people and BI tools read: all marts as Parquet and a read-only DuckDB file, moved into place in one step."""
    warehouse = nightcheck.warehouse()
    rows = publish(warehouse, nightcheck.settings().published)
    for day in days_of(context):
        with alone(warehouse, day):
            finish(warehouse, day)
        context.add_asset_metadata({"rows": sum(rows.values())}, partition_key=day.isoformat())
