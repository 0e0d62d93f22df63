"""A table of a page, as HTML; pure."""

from collections.abc import Iterable, Sequence
from html import escape


def table(heads: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    """Return a table of plain text; a column of figures stands at the right, an interval below its rate."""
    lines = [[each or "–" for each in row] for row in rows]
    kinds = [_kind([line[place] for line in lines]) for place in range(len(heads))]
    head = "".join(f'<th class="{kind}">{escape(each)}</th>' for each, kind in zip(heads, kinds, strict=True))
    body = "".join("<tr>" + "".join(map(_cell, line, kinds)) + "</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _kind(cells: Sequence[str]) -> str:
    """Return n for figures, w for what may be as long as a passage, t for names."""
    if all(cell[0].isdigit() or cell == "–" for cell in cells) and any(cell != "–" for cell in cells):
        return "n" if all(len(cell) < 28 for cell in cells) else "w"
    return "w" if any(len(cell) > 40 for cell in cells) else "t"


def _cell(text: str, kind: str) -> str:
    value, opens, interval = text.partition(" [")
    if kind == "n" and opens:
        return f'<td class="n">{escape(value)}<br><small>[{escape(interval)}</small></td>'
    return f'<td class="{kind}">{escape(text)}</td>'
