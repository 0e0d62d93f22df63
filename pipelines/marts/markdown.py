"""The worst retrievals as Markdown, for a page that shows Markdown; pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.marts.titled import cut, titled
from pipelines.marts.visible import visible

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Return strangers' text so that it is shown letter by letter: no link, picture, table or markup in it works."""
    return _PUNCTUATION.sub(r"\\\1", visible(" ".join(text.split())))


#: the longest Markdown that Dagster shows on the page itself, and not behind a button
INLINE = 999


def brief(row: Mapping[str, Any]) -> str:
    """Return one row of `worst_retrievals` within `INLINE` characters: what is long is cut, and then what is last."""
    for passages in range(len(row["passages"]), 0, -1):
        for length in (120, 80, 50):
            text = _retrieval({**row, "passages": row["passages"][:passages]}, at_most=length)
            if len(text) <= INLINE:
                return text
    return _retrieval({**row, "passages": []}, at_most=80)[:INLINE]


def reading(worst: Iterable[Mapping[str, Any]]) -> str:
    """Return rows of `worst_retrievals` for reading: words, query, and every passage with its grades and evidence."""
    return "\n\n".join(_retrieval(row) for row in worst)


def _cut(text: str, at_most: int | None) -> str:
    words = " ".join(text.split())
    return literal(words if at_most is None else cut(words, at_most))


def _retrieval(row: Mapping[str, Any], at_most: int | None = None) -> str:
    share = f"{row['irrelevant']} of {row['judged']} irrelevant"
    lines = [
        f"**{literal(row['tenant'])} \\#{row['place']}: {share}, the {row['fault']} broke**  ",
        f"**typed** {_cut(row['message'] or '', at_most)}  ",
        f"**searched** {_cut(row['searched_query'], at_most)} ({literal(row['resolution'].replace('_', ' '))})",
        "",
        "| query | need | passage |",
        "|---|---|---|",
    ]
    # a table leaves its words less room than a paragraph does
    words = None if at_most is None else at_most * 2 // 3
    return "\n".join([*lines, *(_passage(passage, words) for passage in row["passages"])])


def _passage(passage: Mapping[str, Any], at_most: int | None) -> str:
    """Return a line of the table: the two grades, then the words, and after them the evidence where there is any."""
    words = _cut(titled(passage["title"], passage["text"]), at_most)
    evidence = f" **evidence** {_cut(passage['evidence'], at_most)}" if passage["evidence"] else ""
    grades = f"| {passage['query_grade']} | {passage['need_grade']} "
    return f"{grades}| {passage['kind']}: {words}{evidence} |"
