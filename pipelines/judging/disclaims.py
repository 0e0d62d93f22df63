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
    found = detect_all(pl.Series(answers.column("answer")), pl.Series(answers.column("language")))
    keys = [answers.column(name).cast(pa.string()) for name in ("environment", "tenant", "event_id")]
    columns = [found[name].to_arrow().cast(pa.string()) for name in ("disclaimed", "language", "phrase")]
    return pa.Table.from_arrays([*keys, *columns], schema=_ROWS)
