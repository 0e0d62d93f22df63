"""Losses are seen: gaps in sequences, reported drops, duplicates, late and skewed events, the quarantine."""

import io
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from pipelines.ingest.run import ingest
from pipelines.io.files import StandardInput
from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import check, make, over, read
from tests.streaming.traffic import event

DAY = date(2026, 11, 29)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse that does not exist yet."""
    return Warehouse(tmp_path / "warehouse.duckdb", memory_limit="512MB")


def numbered(sequence: int, day: int = 29, **changes: Any) -> dict[str, Any]:
    """Return a page view of one producer."""
    fields: dict[str, Any] = {
        "event_type": "page_view",
        "tenant": "a.example.com",
        "producer_id": "p",
        "sequence": sequence,
        "occurred_at": f"2026-11-{day}T10:00:{sequence % 60:02d}Z",
        "payload": {"page_id": f"{sequence}", "path": "/"},
    }
    return event(sequence, seed=day, **(fields | changes))


def take(warehouse: Warehouse, events: list[dict[str, Any] | bytes], at: datetime | None = None) -> None:
    """Ingest events as if they came at an instant."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in events]
    arrived = at or datetime(2026, 11, 29, 12, tzinfo=UTC)
    ingest(StandardInput(io.BytesIO(b"\n".join(lines))), warehouse, now=lambda: arrived)


def rows(warehouse: Warehouse, day: date = DAY) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Make the mart of a day and return its rows by environment, tenant and producer."""
    make(warehouse, day, ["loss_daily"])
    found = read(warehouse, "loss_daily", day, day).to_dicts()
    return {(row["environment"], row["tenant"], row["producer_id"]): row for row in found}


def test_gaps_are_counted_where_they_end(warehouse: Warehouse) -> None:
    """Missing numbers within a day and over midnight count once; the first number seen is no gap."""
    take(warehouse, [numbered(5, day=28), numbered(8), numbered(9), numbered(12), numbered(12 + 1, producer_id="q")])

    found = rows(warehouse)

    mine = found["production", "a.example.com", "p"]
    assert (mine["received"], mine["gaps"], mine["loss_rate"]) == (3, 4, pytest.approx(4 / 7))
    assert found["production", "a.example.com", "q"]["gaps"] == 0
    assert found["production", "*", "*"]["gaps"] == 4
    (gaps,) = [result for result in check(warehouse, DAY, "loss_daily") if result.check.name == "gaps"]
    assert [row["producer_id"] for row in gaps.rows] == ["p"]


def test_what_comes_late_closes_its_gap(warehouse: Warehouse) -> None:
    """A gap is what is missing now; the event that was on its way is late and not lost."""
    take(warehouse, [numbered(1), numbered(3)])
    assert rows(warehouse)["production", "a.example.com", "p"]["gaps"] == 1

    take(warehouse, [numbered(2)], at=datetime(2026, 12, 2, tzinfo=UTC))

    mine = rows(warehouse)["production", "a.example.com", "p"]
    assert (mine["gaps"], mine["late"], mine["received"]) == (0, 1, 3)
    assert all(result.passed for result in check(warehouse, DAY, "loss_daily"))


def test_duplicates_conflicts_skew_drops_and_quarantine(warehouse: Warehouse) -> None:
    """Each kind of trouble is counted in its column."""
    report = {"interaction_id": "i", "kind": "events_dropped", "target": '{"queue_full":7,"not_json":1}'}
    skewed = numbered(2, sent_at="2026-11-29T10:00:00Z", received_at="2026-11-29T11:00:00Z")
    drops = numbered(3, event_type="interaction", payload=report)
    del drops["producer_id"], drops["sequence"]
    conflict = numbered(1, payload={"page_id": "1", "path": "/other"})
    take(warehouse, [numbered(1), numbered(1), numbered(1), conflict, skewed, drops, b"{", b"{}", b"[]"])

    found = rows(warehouse)

    mine = found["production", "a.example.com", "p"]
    assert (mine["duplicates"], mine["conflicts"], mine["skewed"], mine["received"]) == (2, 1, 1, 2)
    assert found["production", "a.example.com", "none"]["reported_drops"] == 8
    assert found["production", "a.example.com", "*"]["reported_drops"] == 8
    reasons = {each["reason"]: each["records"] for each in found["*", "*", "*"]["quarantined"]}
    assert sum(reasons.values()) == 3
    assert reasons["syntax"] == 1


def test_the_days_of_a_range_add_up(warehouse: Warehouse) -> None:
    """Received and missing events of two days together are the sums of the days."""
    take(warehouse, [numbered(1, day=28), numbered(4, day=28), numbered(9), numbered(10)])

    both = over(warehouse, "loss_daily", date(2026, 11, 28), DAY).to_dicts()
    (row,) = [row for row in both if row["producer_id"] == "p"]
    days = [rows(warehouse, day)["production", "a.example.com", "p"] for day in (date(2026, 11, 28), DAY)]

    assert [sum(day[name] for day in days) for name in ("received", "gaps")] == [row["received"], row["gaps"]] == [4, 6]
