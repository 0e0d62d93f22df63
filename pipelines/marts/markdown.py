"""The worst retrievals as Markdown, for a page that shows Markdown; pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Return strangers' text so that it is shown letter by letter: no link, picture, table or markup in it works."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def reading(worst: Iterable[Mapping[str, Any]]) -> str:
    """Return rows of `worst_retrievals` for reading: words, query, and every passage with its grades and evidence."""
    return "\n\n".join(_retrieval(row) for row in worst)


def _retrieval(row: Mapping[str, Any]) -> str:
    share = f"{row['irrelevant']} of {row['judged']} irrelevant"
    lines = [
        f"### {literal(row['tenant'])} \\#{row['place']}: {share}, the {row['fault']} broke",
        f"**typed** {literal(row['message'] or '')}  ",
        f"**searched** {literal(row['searched_query'])} ({literal(row['resolution'])})",
        "",
        "| fits query | fits need | passage | evidence |",
        "|---|---|---|---|",
    ]
    for passage in row["passages"]:
        text = passage["text"] or "(hidden by the application)"
        title = "" if not passage["title"] or text.startswith(passage["title"]) else f"{passage['title']}. "
        lines.append(
            f"| {passage['query_grade']} | {passage['need_grade']} | {passage['kind']}: {literal(title + text)} "
            f"| {literal(passage['evidence'] or '')} |"
        )
    return "\n".join(lines)
