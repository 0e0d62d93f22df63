"""Batches of questions in, rows of what time they name out; pure."""

from datetime import tzinfo

import polars as pl
import pyarrow as pa

from pipelines.resolution.structured import read
from pipelines.resolution.structured.timeless import may_name_times

_KEY = ("environment", "tenant", "event_id")
_ROWS = pa.schema(
    [*((name, pa.string()) for name in (*_KEY, "names")), ("phrases", pa.list_(pa.string()))],
)


def dated_questions(questions: pa.RecordBatch, zone: tzinfo) -> pa.Table:
    """Return a row for each question: whether it names a time, and the phrases that say so.

    Takes the columns environment, tenant, event_id, occurred_at, message and language. A phrase is read from the
    instant of the search in `zone`: where the asker is, nobody knows.
    """
    names = ["none"] * len(questions)
    phrases: list[list[str]] = [[]] * len(questions)
    messages = pl.Series("message", questions.column("message"))
    places = may_name_times(messages).arg_true()
    for place, question in zip(places, questions.take(places.to_arrow()).to_pylist(), strict=True):
        stated = (question["language"] or "").partition("-")[0].lower()
        reading = read(question["message"], at=question["occurred_at"].astimezone(zone), language=stated or None)
        names[place] = reading.dated
        phrases[place] = [span.phrase for span in reading.spans]
    keys = [questions.column(name).cast(pa.string()) for name in _KEY]
    columns = [*keys, pa.array(names, pa.string()), pa.array(phrases, pa.list_(pa.string()))]
    return pa.Table.from_arrays(columns, schema=_ROWS)
