"""What belongs to a visitor, in bytes; pure.

A table of the warehouse is reached by the columns that it has (`statements.sql`). One that names a tenant and has none
of these columns must be known to hold nothing of a single visitor (`AGGREGATES`).
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pipelines.ingest.mentions import ids_in, may_be_of, names_a_visitor

#: tables that name a tenant and hold counts, settings, people of the application's own or verdicts on content, but no
#: row of one visitor; verdicts and the lists of alerts are erased by statements of their own
AGGREGATES = frozenset(
    {
        "alerts.alerts",
        "alerts.charts",
        "alerts.leaves",
        "ingest.repeats",
        "marts.answer_outcomes_daily",
        "marts.date_questions_daily",
        "marts.disclaim_daily",
        "marts.fault_daily",
        "marts.gate_daily",
        "marts.gate_population",
        "marts.loss_daily",
        "marts.relevance_daily",
        "marts.relevance_strata",
        "night.passage_verdicts",
        "night.replays",
        "night.spending",
        "night.strata",
        "night.verdicts",
        "privacy.erased_numbers",
        "privacy.tombstones",
        "structured.people",
        "tenants.configurations",
    }
)
_SHORTEST_PROBE = 6
#: so many ids and so many texts are looked for
_PROBES = 64
_PLAIN = re.compile(r"[^\x00-\x1f\"\\/<>&\x7f-\uffff]{16,}")


def mentions(raw: bytes, tenant: str, visitor: str, conversations: Iterable[str]) -> bool:
    """Whether bytes that are no event may be the visitor's: they hold the id, or nobody's and a conversation's."""
    if not may_be_of(raw, tenant):
        return False
    ids = ids_in(raw)
    return visitor in ids or (not names_a_visitor(raw) and not ids.isdisjoint(conversations))


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Bytes that must be nowhere afterwards, and whether they are an id or something that was said."""

    pattern: bytes
    is_id: bool

    @property
    def text(self) -> str:
        """Return the id or the piece of text that the bytes spell."""
        return self.pattern.decode("utf-8", "replace").strip('"')

    @property
    def is_short(self) -> bool:
        """Whether the text is so short that it stands in other words by chance."""
        return len(self.text) < _SHORTEST_PROBE


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """What belongs to a visitor; `prefixes` begin the names of the items that were harvested of the conversations."""

    tenant: str
    visitor: str
    conversations: tuple[str, ...]
    events: tuple[str, ...]
    retrievals: tuple[str, ...]
    turns: tuple[str, ...]
    prefixes: tuple[str, ...]
    days: dict[date, int]
    probes: tuple[Probe, ...]


def probes(visitor: str, strings: Iterable[tuple[str, bool]]) -> tuple[Probe, ...]:
    """Return what to look for in files: ids as they are, of texts the longest plain piece, at most 64 of each.

    An id of fewer than six bytes is looked for as a JSON text alone, since its bytes stand anywhere by chance.
    """
    found: dict[bytes, Probe] = {}
    room = {True: _PROBES, False: _PROBES}
    for text, is_id in [(visitor, True), *strings]:
        pattern = _id_bytes(text) if is_id else _longest_plain(text)
        if pattern and pattern not in found and room[is_id]:
            found[pattern] = Probe(pattern=pattern, is_id=is_id)
            room[is_id] -= 1
    return tuple(found.values())


def _id_bytes(text: str) -> bytes:
    pattern = text.encode("utf-8", "replace")
    return pattern if len(pattern) >= _SHORTEST_PROBE else json.dumps(text).encode()


def _longest_plain(text: str) -> bytes:
    return max(_PLAIN.findall(text), key=len, default="").strip().encode()
