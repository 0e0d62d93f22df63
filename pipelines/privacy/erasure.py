"""What belongs to a visitor, in tables and in bytes; pure.

A table of the warehouse is reached by the columns that it has, so that a table that is added later is reached too. One
that names a tenant and has none of these columns must be known to hold nothing of a single visitor (`AGGREGATES`).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

#: how the rows of a visitor are recognised, by column; each is a condition of SQL over the `erasing_…` tables
_OWNED_BY: Mapping[str, str] = {
    "event_id": "event_id::varchar in (select event_id::varchar from erasing_events)",
    "retrieval_id": "retrieval_id in (select retrieval_id from erasing_retrievals)",
    "turn_id": "turn_id in (select turn_id from erasing_turns)",
    "source_id": "source_id in (select conversation_id from erasing_conversations)",
    "visitor_id": "visitor_id = $visitor",
    "item_id": "exists (from erasing_items where starts_with(item_id, prefix))",
}
_BY_CONVERSATION = "conversation_id in (select conversation_id from erasing_conversations)"

#: tables that name a tenant and hold counts, settings, people of the application's own or verdicts on content, but no
#: row of one visitor; verdicts and the lists of alerts are erased by statements of their own
AGGREGATES = frozenset(
    {
        "alerts.alerts",
        "alerts.charts",
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
        "night.strata",
        "night.verdicts",
        "privacy.erased_numbers",
        "privacy.tombstones",
        "structured.people",
        "tenants.configurations",
    }
)
_SHORTEST_PROBE = 6
_PROBES = 64
_PLAIN = re.compile(r"[^\x00-\x1f\"\\/<>&\x7f-\uffff]{16,}")


def condition(columns: Sequence[str]) -> str | None:
    """Return the SQL condition for the rows of the visitor in a table with these columns; None where it has none.

    A conversation counts as the visitor's where the row names no other visitor.
    """
    owned = [_OWNED_BY[column] for column in columns if column in _OWNED_BY]
    if "conversation_id" in columns:
        unnamed = " and (visitor_id is null or visitor_id = $visitor)" if "visitor_id" in columns else ""
        owned.append(f"({_BY_CONVERSATION}{unnamed})")
    if not owned:
        return None
    tenant = "tenant = $tenant and " if "tenant" in columns else ""
    return f"{tenant}({' or '.join(owned)})"


def mentions(raw: bytes, tenant: str, visitor: str) -> bool:
    """Whether bytes that are no event may be the visitor's: they hold the id as a JSON text, and no other tenant."""
    spellings = {json.dumps(visitor).encode(), json.dumps(visitor, ensure_ascii=False).encode("utf-8", "replace")}
    if not any(spelling in raw for spelling in spellings):
        return False
    return tenant.encode() in raw.lower() or b'"tenant"' not in raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Bytes that must be nowhere afterwards, and whether they are an id or something that was said."""

    pattern: bytes
    is_id: bool


def probes(visitor: str, strings: Iterable[tuple[str, bool]]) -> tuple[Probe, ...]:
    """Return what to look for in files: ids as they are, of texts the longest plain piece, at most 64 in all.

    An id of fewer than six bytes is looked for as a JSON text alone, since its bytes stand anywhere by chance.
    """
    found: dict[bytes, Probe] = {}
    for text, is_id in [(visitor, True), *strings]:
        if is_id:
            pattern = text.encode("utf-8", "replace")
            pattern = pattern if len(pattern) >= _SHORTEST_PROBE else json.dumps(text).encode()
        else:
            pieces = _PLAIN.findall(text)
            if not pieces:
                continue
            pattern = max(pieces, key=len).strip().encode()
        found.setdefault(pattern, Probe(pattern=pattern, is_id=is_id))
        if len(found) == _PROBES:
            break
    return tuple(found.values())
