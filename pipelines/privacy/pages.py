"""Pages of assets without a visitor's words: Dagster keeps what a page has shown, as one JSON document a run; pure."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pipelines.privacy.erasure import Probe

#: what stands where something was
ERASED = "(erased)"
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def without(document: str, probes: Sequence[Probe]) -> str | None:
    """Return the document without rows and Markdown that say what is looked for; None where it says nothing of it.

    A page shows a retrieval in a row of its table by its id, and in its Markdown without it: where one is found, the
    other goes too.
    """
    page = json.loads(document)
    if not _says(_strings(page), probes):
        return None
    _blank(page, probes)
    return json.dumps(page)


def _says(strings: Iterable[str], probes: Sequence[Probe]) -> bool:
    """Whether a string holds a text or an id; a short id, whose letters stand anywhere, only where it is all of it."""
    whole = {probe.text for probe in probes}
    parts = [probe.text for probe in probes if not probe.is_short]
    return any(
        string in whole or any(part in plain for part in parts)
        for string in strings
        for plain in (_ESCAPED.sub(r"\1", string),)
    )


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


def _blank(value: Any, probes: Sequence[Probe]) -> None:
    match value:
        case {"__class__": "TableRecord", "data": dict() as row}:
            if _says(_strings(row), probes):
                row.update({name: ERASED for name, cell in row.items() if isinstance(cell, str)})
        case {"md_str": str()}:
            value["md_str"] = ERASED
        case dict():
            for each in value.values():
                _blank(each, probes)
        case list():
            for each in value:
                _blank(each, probes)
