"""What a question names exactly is pinned before any passage: items in its window, people's latest contact. Pure.

The index decides which notes are relevant; the tables decide what is true about them. So everything here is read live,
through `Records`, and a rejected item never leaves it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Protocol

from pipelines.resolution.structured.interval import Interval
from pipelines.resolution.structured.people import Person, named_people
from pipelines.resolution.structured.when import MAX_CHARACTERS, Reading, read

#: how many items of a window are pinned; a year's window must not fill the prompt
MAX_ITEMS = 20
#: what an event states for the open side of a window ("since August"), as its contract wants both bounds
EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A todo, event or other fact, as it is now."""

    item_id: str
    item_type: str
    text: str
    at: datetime | None
    source_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A recorded contact with a person, with a line that can be quoted."""

    contact_id: str
    person_id: str
    at: datetime
    line: str
    source_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Title and date of what a snippet was cut from."""

    source_id: str
    title: str
    dated: date | None


class Records(Protocol):
    """Read access to one tenant's tables. Every method is one query; none returns anything rejected."""

    def items_between(self, window: Interval, near: datetime, limit: int) -> Sequence[Item]:
        """Return up to `limit` items in a window, those nearest to an instant, the earliest first."""
        ...

    def people(self) -> Sequence[Person]:
        """Return all people."""
        ...

    def latest_contacts(self, person_ids: Sequence[str], at: datetime) -> Sequence[Contact]:
        """Return each person's latest contact up to an instant, the latest first."""
        ...

    def facts(self, source_ids: Sequence[str]) -> Mapping[str, Sequence[Item]]:
        """Return the items taken from each of the sources, as they are now."""
        ...

    def sources(self, source_ids: Sequence[str]) -> Mapping[str, Source]:
        """Return title and date of each of the sources that is known."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One item shown before any passage; what a retrieval event records in `pins`."""

    item_id: str
    item_type: str
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """What was read of a question, and what is shown first."""

    reading: Reading
    pins: tuple[Pin, ...]

    def recorded(self) -> dict[str, Any]:
        """Return the fields of a retrieval event: `pins`, and `window` where there is one; times in RFC 3339."""
        fields: dict[str, Any] = {"pins": [_recorded(pin) for pin in self.pins]}
        window = self.reading.window
        if window is not None:
            start, end = window.start or EARLIEST, window.end or LATEST
            fields["window"] = {"start": start.isoformat(), "end": end.isoformat()}
        return fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage found by a vector search, with its exact distance from the query."""

    passage_id: str
    distance: float


def pin(question: str, *, at: datetime, records: Records, week_start: int = 0, language: str | None = None) -> Pinned:
    """Return what a question pins: items in its window by time, then the latest contact of each person named.

    Args:
        question: the message as typed.
        at: the anchor, aware, in the asker's time zone.
        records: read access to the asker's tenant.
        week_start: the first day of a week, 0 for Monday.
        language: of the question; detected where it is None.
    """
    reading = read(question, at=at, week_start=week_start, language=language)
    pins: list[Pin] = []
    if reading.window is not None:
        items = records.items_between(reading.window, at, MAX_ITEMS)
        pins += [Pin(item_id=item.item_id, item_type=item.item_type, text=item.text, at=item.at) for item in items]
    named = named_people(question[:MAX_CHARACTERS], records.people())
    if named:
        contacts = records.latest_contacts([person.person_id for person in named], at)
        pins += [Pin(item_id=c.contact_id, item_type="contact", text=c.line, at=c.at) for c in contacts]
    return Pinned(reading=reading, pins=tuple(pins))


def fill(window_hits: Sequence[Hit], outside_hits: Sequence[Hit], limit: int = 8) -> tuple[Hit, ...]:
    """Return up to `limit` hits: those in the window by exact distance, then those outside it; no passage twice."""
    chosen: dict[str, Hit] = {}
    for hits in (window_hits, outside_hits):
        for hit in sorted(hits, key=_nearest):
            if len(chosen) >= limit:
                break
            chosen.setdefault(hit.passage_id, hit)
    return tuple(chosen.values())


def _nearest(hit: Hit) -> tuple[bool, float, str]:
    broken = math.isnan(hit.distance)
    return broken, 0.0 if broken else hit.distance, hit.passage_id


def _recorded(pinned: Pin) -> dict[str, Any]:
    fields: dict[str, Any] = {"item_id": pinned.item_id, "item_type": pinned.item_type, "text": pinned.text}
    if pinned.at is not None:
        fields["at"] = pinned.at.isoformat()
    return fields
