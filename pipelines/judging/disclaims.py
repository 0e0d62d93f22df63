"""Which answers of a day disclaim, as rows; pure."""

import polars as pl
import pyarrow as pa

from pipelines.disclaim import detect_all

_ROWS = pa.schema(
    [(name, pa.string()) for name in ("environment", "tenant", "event_id", "disclaimed", "language", "phrase")]
)


def disclaims(answers: pa.RecordBatch) -> pa.Table:
    """Return one row for each answer: yes, no or partial, with the words that say so.

    Takes the columns environment, tenant, event_id, language and answer.
    """
    found = detect_all(pl.Series("answer", answers.column("answer")), answers.column("language").to_pylist())
    columns = [
        *(answers.column(name).cast(pa.string()) for name in ("environment", "tenant", "event_id")),
        pa.array(["partial" if each.disclaimed == "partial" else "yes" if each.disclaimed else "no" for each in found]),
        pa.array([each.language for each in found], pa.string()),
        pa.array([each.phrase for each in found], pa.string()),
    ]
    return pa.Table.from_arrays(columns, schema=_ROWS)
