"""Structured reads from DuckDB: the tables `structured.*`, one query for each call."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import duckdb

from pipelines.resolution.structured.interval import Interval
from pipelines.resolution.structured.people import Person
from pipelines.resolution.structured.pins import Contact, Item, Source
from schemas import sql


class DuckDBRecords:
    """Read access to one tenant's tables over an open connection, whose session time zone must be UTC."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def items_between(self, window: Interval, near: datetime, limit: int) -> Sequence[Item]:
        """Return items in a window, those nearest to an instant, the earliest first; one may have begun before it."""
        rows = self._rows("items_between", start=_utc(window.start), end=_utc(window.end), near=_utc(near), limit=limit)
        return [
            Item(item_id=item_id, item_type=item_type, text=text, at=at, source_id=source_id)
            for item_id, item_type, text, at, source_id in rows
        ]

    def people(self) -> Sequence[Person]:
        """Return all people."""
        return [
            Person(person_id=person_id, name=name, aliases=tuple(aliases))
            for person_id, name, aliases in self._rows("people")
        ]

    def latest_contacts(self, person_ids: Sequence[str], at: datetime) -> Sequence[Contact]:
        """Return each person's latest contact up to an instant, the latest first."""
        rows = self._rows("latest_contacts", people=list(person_ids), until=_utc(at))
        return [
            Contact(contact_id=contact_id, person_id=person_id, at=when, line=line, source_id=source_id)
            for contact_id, person_id, when, line, source_id in rows
        ]

    def facts(self, source_ids: Sequence[str]) -> Mapping[str, Sequence[Item]]:
        """Return the items taken from each of the sources, as they are now; a source without items is not a key."""
        facts: dict[str, list[Item]] = {}
        for source_id, item_id, item_type, text, at in self._rows("facts_of_sources", sources=list(source_ids)):
            item = Item(item_id=item_id, item_type=item_type, text=text, at=at, source_id=source_id)
            facts.setdefault(source_id, []).append(item)
        return facts

    def sources(self, source_ids: Sequence[str]) -> Mapping[str, Source]:
        """Return title and date of each of the sources that is known, in one query for all of them."""
        return {
            source_id: Source(source_id=source_id, title=title, dated=dated)
            for source_id, title, dated in self._rows("sources_by_id", sources=list(source_ids))
        }

    def _rows(self, query: str, **parameters: object) -> list[Any]:
        values = {"tenant": self._tenant, **parameters}
        return self._connection.execute(sql.load(f"structured/{query}.sql"), values).fetchall()


def _utc(instant: datetime | None) -> datetime | None:
    return None if instant is None else instant.astimezone(UTC)
