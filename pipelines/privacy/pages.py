"""Pages of assets without a visitor's words: Dagster keeps what a page has shown, as one JSON document a run; pure."""

import json
import re
from collections.abc import Sequence
from typing import Any

#: what stands where something was
ERASED = "(erased)"
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def without(document: str, texts: Sequence[str]) -> str | None:
    """Return the document without table rows and Markdown that say any of `texts`; None where it says none of them.

    A page shows a retrieval in a row of its table by its id, and in its Markdown without it: where one is found, the
    other goes too.
    """
    if not any(text in plain for plain in (document, _ESCAPED.sub(r"\1", _decoded(document))) for text in texts):
        return None
    page = json.loads(document)
    _blank(page, texts)
    return json.dumps(page)


def _decoded(document: str) -> str:
    return "\n".join(_strings(json.loads(document)))


def _strings(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case list():
            return [text for each in value for text in _strings(each)]
        case dict():
            return [text for each in value.values() for text in _strings(each)]
        case _:
            return []


def _blank(value: Any, texts: Sequence[str]) -> None:
    match value:
        case {"__class__": "TableRecord", "data": dict() as row}:
            if any(text in cell for cell in _strings(row) for text in texts):
                row.update({name: ERASED for name, cell in row.items() if isinstance(cell, str)})
        case {"md_str": str()}:
            value["md_str"] = ERASED
        case dict():
            for each in value.values():
                _blank(each, texts)
        case list():
            for each in value:
                _blank(each, texts)
