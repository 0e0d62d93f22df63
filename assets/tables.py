"""How rows are shown inline on an asset's page."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

#: a page shows at most so many rows inline
SHOWN = 30


def table(rows: Sequence[Mapping[str, Any]]) -> dg.TableMetadataValue | None:
    """Return the first rows as a table, or None where there are none; what is no plain value is shown as text."""
    if not rows:
        return None
    return dg.MetadataValue.table(
        records=[dg.TableRecord({name: _cell(value) for name, value in row.items()}) for row in rows[:SHOWN]],
        schema=dg.TableSchema(columns=[dg.TableColumn(name) for name in rows[0]]),
    )


def _cell(value: Any) -> str | int | float | bool | None:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
