"""The days of a run."""

from datetime import date

import dagster as dg


def days_of(context: dg.AssetExecutionContext) -> list[date]:
    """Return the days of the partitions that this run makes, in order."""
    return [date.fromisoformat(key) for key in sorted(context.partition_keys)]
