"""What bytes that are no event still name: they can't be parsed, but an id in them is found again; pure."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

#: longer texts are no ids
_LONGEST_ID = 512
_JSON_TEXT = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def ids_in(raw: bytes) -> frozenset[str]:
    """Return every text of `raw` that may be an id: whatever stands between two quotation marks, be one a stray."""
    pieces = {*_JSON_TEXT.findall(raw), *raw.split(b'"')}
    return frozenset(text for piece in pieces if len(piece) <= _LONGEST_ID for text in _spelled(piece))


def may_be_of(raw: bytes, tenant: str) -> bool:
    """Whether the record may be the tenant's: it names it, or no tenant at all."""
    return tenant.encode() in raw.lower() or b'"tenant"' not in raw


def names_a_visitor(raw: bytes) -> bool:
    """Whether the record has a field for the visitor; a conversation tells whose it is only where it has none."""
    return b'"visitor_id"' in raw


def _spelled(piece: bytes) -> Iterator[str]:
    yield piece.decode("utf-8", "replace")
    if b"\\" in piece:
        with suppress(ValueError):  # no JSON text, or half of a pair that is no character
            yield str(json.loads(b'"' + piece + b'"').encode(), "utf-8")
