"""The contract of the nightly mart in the words of Great Expectations, which people can read in a report."""

import importlib
import os
import warnings
from typing import Any

import dagster as dg

from assets.resources import Nightcheck
from pipelines.marts.run import newest_day, read
from pipelines.night.run import freshness

_MEASURES = ["irrelevant_query", "irrelevant_need"]


@dg.asset_check(asset="relevance_overview", pool="duckdb", description="The newest night fits its contract.")
def relevance_contract(nightcheck: Nightcheck) -> dg.AssetCheckResult:
    """Hold the newest night of relevance_daily against its expectations."""
    warehouse = nightcheck.warehouse()
    newest = newest_day(warehouse)
    rows = read(warehouse, "relevance_daily", newest, newest)
    if rows.is_empty():
        return dg.AssetCheckResult(passed=True, metadata={"rows": 0, "day": newest.isoformat()})
    results = _validate(rows.to_pandas())
    failed = [result.expectation_config.type for result in results if not result.success]
    return dg.AssetCheckResult(
        passed=not failed,
        severity=dg.AssetCheckSeverity.ERROR,
        metadata={
            "rows": len(rows),
            "day": newest.isoformat(),
            "expectations": len(results),
            "failed": ", ".join(failed) or "none",
        },
    )


def _validate(frame: Any) -> list[Any]:
    """Run the suite on a pandas frame; an expectation that could not be evaluated is an error, not bad data."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it imports is deprecated, which is nobody's business here
        # importing it takes seconds and 250 MB, which every process that loads this module would pay
        gx: Any = importlib.import_module("great_expectations")
        gxe: Any = importlib.import_module("great_expectations.expectations")
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    batch = (
        context.data_sources.add_pandas("pandas")
        .add_dataframe_asset("relevance")
        .add_batch_definition_whole_dataframe("night")
    )
    suite = gx.ExpectationSuite(
        name="relevance_daily",
        expectations=[
            *(
                gxe.ExpectColumnValuesToNotBeNull(column=name)
                for name in ("day", "tenant", "slice", "value", "coverage")
            ),
            *(
                gxe.ExpectColumnValuesToBeBetween(column=name, min_value=0, max_value=1)
                for name in ("rate", "low", "high", "coverage")
            ),
            gxe.ExpectColumnValuesToBeInSet(column="measure", value_set=_MEASURES),
            gxe.ExpectColumnPairValuesAToBeGreaterThanB(column_A="worst", column_B="best", or_equal=True),
            gxe.ExpectCompoundColumnsToBeUnique(column_list=["environment", "tenant", "slice", "value", "measure"]),
        ],
    )
    results = list(batch.get_batch({"dataframe": frame}).validate(suite).results)
    for result in results:
        if result.exception_info.get("raised_exception"):
            raise RuntimeError(f"{result.expectation_config.type} could not be evaluated: {result.exception_info}")
    return results


@dg.asset_check(asset="relevance_overview", pool="duckdb", description="Yesterday's night was published.")
def fresh(nightcheck: Nightcheck) -> dg.AssetCheckResult:
    """Compare the newest published night with the newest day that has events."""
    newest_event_day, newest_night = freshness(nightcheck.warehouse())
    behind = 0 if newest_event_day is None else (newest_event_day - (newest_night or newest_event_day)).days
    return dg.AssetCheckResult(
        passed=newest_night is not None and behind <= 1,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"newest night": str(newest_night), "newest events": str(newest_event_day), "days behind": behind},
    )
