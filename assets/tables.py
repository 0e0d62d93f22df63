"""How rows are shown inline on an asset's page, whose columns are narrow."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import polars as pl

from pipelines.marts.figures import compact

#: a page shows at most so many rows inline
SHOWN = 30
_LEFT_OUT = {"day", "low", "high", "effective_n", "hits", "judge", "model", "conversation_id", "visitor_id"}


def table(rows: Sequence[Mapping[str, Any]]) -> dg.TableMetadataValue | None:
    """Return the first rows as a table, or None where there are none; what is no plain value is shown as text."""
    if not rows:
        return None
    return dg.MetadataValue.table(
        records=[dg.TableRecord({name: _cell(value) for name, value in row.items()}) for row in rows[:SHOWN]],
        schema=dg.TableSchema(columns=[dg.TableColumn(name) for name in rows[0]]),
    )


def mart_table(rows: pl.DataFrame) -> dg.TableMetadataValue | None:
    """Return a mart's rows of one day in few columns: a rate stands with its interval, versions are left out."""
    left_out = _LEFT_OUT | {name for name in rows.columns if name.endswith("_version")}
    if rows["environment"].n_unique() == 1:
        left_out |= {"environment"}
    columns = [name for name in rows.columns if name not in left_out and not isinstance(rows.schema[name], pl.List)]
    return table([{name: _figure(name, row) for name in columns} for row in rows.head(SHOWN).iter_rows(named=True)])


def _figure(name: str, row: Mapping[str, Any]) -> Any:
    if name == "rate" and "low" in row:
        return compact(row["rate"], row["low"], row["high"])
    return f"{row[name]:.1%}" if isinstance(row[name], float) else row[name]


def _cell(value: Any) -> str | int | float | bool | None:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
