"""Which answers of a day disclaim, as rows; pure."""

from collections.abc import Sequence

import pyarrow as pa

from pipelines.disclaim import detect_all


def disclaims(answers: pa.Table) -> pa.Table:
    """Return one row for each answer: yes, no or partial, with the words that say so."""
    texts: Sequence[str] = answers.column("answer").to_pylist()
    languages: Sequence[str | None] = answers.column("language").to_pylist()
    found = detect_all(texts, languages)
    said = ["partial" if each.disclaimed == "partial" else "yes" if each.disclaimed else "no" for each in found]
    return (
        answers.select(["environment", "tenant", "event_id"])
        .add_column(3, "disclaimed", pa.array(said, pa.string()))
        .add_column(4, "language", pa.array([each.language for each in found], pa.string()))
        .add_column(5, "phrase", pa.array([each.phrase for each in found], pa.string()))
    )
