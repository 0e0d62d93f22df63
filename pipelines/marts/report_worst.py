"""What to read first, as a part of the report's page; pure."""

from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import Any

import polars as pl

from pipelines.marts.html_table import table
from pipelines.marts.titled import titled
from pipelines.marts.worst_order import worst_first

#: so many of the worst retrievals are shown, each tenant's worst before any tenant's second
_WORST = 12
_EVIDENCE = "Evidence: the words of the passage that a grade of 2 or 3 rests on."
_NO_EVIDENCE = "The lexical judge names no evidence."


def to_read(worst: pl.DataFrame, alarming: Collection[str], *, names_evidence: bool) -> Iterable[str]:
    """Yield the worst retrievals of a night, rows of the mart of that name; nothing where there are none.

    A judge that names no evidence leaves its column out.
    """
    shown = worst_first(worst, alarming).head(_WORST)
    if shown.is_empty():
        return
    yield "<h2>Read these first</h2>"
    yield (
        '<p class="note">The judged retrievals with the most irrelevant passages. Grades run from 0 (irrelevant) to 3 '
        "(answers), first against the searched query, then against the visitor's need. "
        f"{_EVIDENCE if names_evidence else _NO_EVIDENCE}</p>"
    )
    for row in shown.iter_rows(named=True):
        yield (
            f"<h3>{escape(row['tenant'])} #{row['place']}: {row['irrelevant']} of {row['judged']} irrelevant, "
            f"the {escape(row['fault'])} broke</h3>"
        )
        yield f'<p class="words"><b>Typed</b> {_words(row["message"])}<br>'
        how = escape(row["resolution"].replace("_", " "))
        yield f"<b>Searched</b> {_words(row['searched_query'])} <i>({how})</i></p>"
        lines = [
            [_grade(passage["query_grade"]), _grade(passage["need_grade"]), _passage(passage), passage["evidence"]]
            for passage in row["passages"]
        ]
        heads = ["query", "need", "passage", "evidence"]
        yield table(heads, lines) if names_evidence else table(heads[:-1], [line[:-1] for line in lines])
        where = f"retrieval {row['retrieval_id']}, conversation {row['conversation_id']}"
        yield f'<p class="note">{escape(where)}</p>'


def _grade(grade: int | None) -> str:
    return "–" if grade is None else str(grade)


def _passage(passage: Mapping[str, Any]) -> str:
    return f"[{passage['kind']}] {titled(passage['title'], passage['text'])}"


def _words(text: str | None) -> str:
    return "<i>nothing</i>" if not text else escape(text)
