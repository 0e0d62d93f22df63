"""Batches of questions in, rows of what time they name out; pure."""

from datetime import tzinfo
from typing import Any

import pyarrow as pa

from pipelines.resolution.structured import read

_ROWS = pa.schema(
    [
        *((name, pa.string()) for name in ("environment", "tenant", "event_id", "names")),
        ("phrases", pa.list_(pa.string())),
    ]
)


def dated_questions(questions: pa.RecordBatch, zone: tzinfo) -> pa.Table:
    """Return a row for each question: whether it names a time, and the phrases that say so.

    Takes the columns environment, tenant, event_id, occurred_at, message and language. A phrase is read from the
    instant of the search in `zone`: where the asker is, nobody knows.
    """
    columns: dict[str, list[Any]] = {name: [] for name in _ROWS.names}
    for question in questions.to_pylist():
        stated = (question["language"] or "").partition("-")[0].lower()
        reading = read(question["message"], at=question["occurred_at"].astimezone(zone), language=stated or None)
        for name in ("environment", "tenant", "event_id"):
            columns[name].append(question[name])
        columns["names"].append(reading.dated)
        columns["phrases"].append([span.phrase for span in reading.spans])
    return pa.Table.from_pydict(columns, schema=_ROWS)
