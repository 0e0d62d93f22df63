"""Losses are seen: gaps in sequences, reported drops, duplicates, late and skewed events, the quarantine."""

import io
import json
import random
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pipelines.ingest.run import ingest
from pipelines.io.files import StandardInput
from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import check, make, over, read
from pipelines.privacy.run import Place, erase
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


def test_a_producer_is_one_of_its_tenant_and_environment(warehouse: Warehouse) -> None:
    """The same id elsewhere is another producer: its numbers close no gap, and none lies between its own and theirs."""
    theirs = {
        ("production", "a.example.com"): (1, 4),
        ("staging", "a.example.com"): (2, 8),
        ("production", "b.example.com"): (3, 30),
    }
    take(
        warehouse,
        [
            numbered(number, environment=environment, tenant=tenant)
            for (environment, tenant), numbers in theirs.items()
            for number in numbers
        ],
    )

    found = rows(warehouse)

    gaps = {key: row["gaps"] for key, row in found.items() if key[2] == "p"}
    assert gaps == {
        ("production", "a.example.com", "p"): 2,
        ("staging", "a.example.com", "p"): 5,
        ("production", "b.example.com", "p"): 26,
    }
    assert found["production", "*", "*"]["gaps"] == 28


def test_what_comes_late_closes_its_gap(warehouse: Warehouse) -> None:
    """A gap is what is missing now; the event that was on its way is late and not lost."""
    take(warehouse, [numbered(1), numbered(3)])
    assert rows(warehouse)["production", "a.example.com", "p"]["gaps"] == 1

    take(warehouse, [numbered(2, received_at="2026-12-02T00:00:00Z")])

    mine = rows(warehouse)["production", "a.example.com", "p"]
    assert (mine["gaps"], mine["late"], mine["received"]) == (0, 1, 3)
    assert all(result.passed for result in check(warehouse, DAY, "loss_daily"))


def test_when_something_was_read_makes_nothing_late(warehouse: Warehouse) -> None:
    """A file that is read a month later, and one whose collector's clock explains the time, say nothing of lateness."""
    off = {"sent_at": "2026-11-27T10:00:00Z", "received_at": "2026-11-29T11:00:00Z"}
    take(warehouse, [numbered(1), numbered(2, day=27, **off)], at=datetime(2026, 12, 29, tzinfo=UTC))

    mine = rows(warehouse)["production", "a.example.com", "p"]

    assert (mine["received"], mine["late"], mine["skewed"]) == (2, 0, 1)


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def test_the_days_are_those_of_the_projections(tmp_path: Path, zone: str) -> None:
    """Events, duplicates, drops and the quarantine fall on the day that they make dirty, whatever a clock said."""
    warehouse = Warehouse(tmp_path / "warehouse.duckdb", time_zone=zone)
    rng = random.Random(4)
    sent: list[dict[str, Any] | bytes] = []
    for number in range(120):
        made = numbered(
            number, occurred_at=f"2026-11-{rng.randint(26, 30)}T{rng.randint(0, 23):02d}:{number % 60:02d}:00Z"
        )
        if number % 3 == 0:
            off = timedelta(minutes=rng.choice([4, 6, 600, 100_000]))
            made["sent_at"] = made["occurred_at"]
            made["received_at"] = (datetime.fromisoformat(made["occurred_at"]) + off).isoformat()
        if number % 4 == 0:
            report = {"interaction_id": f"{number}", "kind": "events_dropped", "target": '{"queue_full":1}'}
            made |= {"event_type": "interaction", "payload": report}
        sent.append(made)
    take(warehouse, [*sent, *sent, b"{"], at=datetime(2026, 11, 29, 23, 30, tzinfo=UTC))

    with warehouse.read() as connection:
        query = "from (select day from canonical.page_views union all select day from canonical.interactions)"
        expected = dict(connection.execute(f"select day, count(*) {query} group by day").fetchall())
        drops = dict(connection.execute("select day, count(*) from canonical.interactions group by day").fetchall())

    assert len(expected) > 5
    for day, count in expected.items():
        found = rows(warehouse, day)
        mine = found["production", "a.example.com", "*"]
        assert (mine["received"], mine["duplicates"]) == (count, count), day
        assert mine["reported_drops"] == drops.get(day, 0), day
        arrived = datetime(2026, 11, 29, 23, 30, tzinfo=UTC).astimezone(ZoneInfo(zone)).date()
        assert (("*", "*", "*") in found) == (day == arrived)


def test_what_was_erased_is_no_gap(warehouse: Warehouse, tmp_path: Path) -> None:
    """Numbers of erased events, and of events of an erased visitor that still come, are not missing; lost ones are."""
    theirs = {number: numbered(number, visitor_id="v-gone") for number in (3, 4, 6, 8)}
    others = [numbered(number, visitor_id="v-stays") for number in (1, 2, 7, 9, 10)]
    take(warehouse, [*others, *(theirs[number] for number in (3, 4, 6))])
    place = Place(searched=(), published=tmp_path / "published", spool=tmp_path / "spool", datasets=())
    assert rows(warehouse)["production", "a.example.com", "p"]["gaps"] == 2

    erase(
        warehouse,
        "a.example.com",
        "v-gone",
        at=datetime(2026, 11, 30, tzinfo=UTC),
        salt="salt",
        key=b"key",
        place=place,
        publish=lambda: None,
    )
    take(warehouse, [theirs[8], theirs[3]])

    mine = rows(warehouse)["production", "a.example.com", "p"]
    assert (mine["received"], mine["gaps"]) == (5, 1)  # of all, only 5 never came
    with warehouse.read() as connection:
        kept = connection.execute("select distinct producer from privacy.erased_numbers").fetchall()
    assert len(kept) == 1
    assert len(kept[0][0]) == 64


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


#: every number of the month, one after the other: what the mart says of gaps without reading most of them
_PLAIN = """
with numbers as (
  select reference.day_of(reference.true_instant(occurred_at, sent_at, received_at)) as day, producer_id, sequence
  from ingest.events
  where sequence is not null and (day between $day - 33 and $day + 3 or received_at >= ($day - 33)::date)
),
numbered as (
  select day, producer_id,
    sequence - lag(sequence) over (partition by producer_id order by sequence, day) - 1 as missing
  from numbers
  where day between $day - 31 and $day + 1
)
select producer_id, sum(greatest(missing, 0))::bigint from numbered where day = $day group by producer_id
"""


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def test_gaps_are_those_of_all_numbers_of_the_month(tmp_path: Path, zone: str) -> None:
    """A producer that counts on, one out of order, one that begins anew each day, one whose clock jumps; clocks that are off."""
    warehouse = Warehouse(tmp_path / "warehouse.duckdb", time_zone=zone)
    rng = random.Random(7)
    sent: list[dict[str, Any] | bytes] = []
    for number in range(900):
        away = rng.choice([rng.uniform(-36, 4), rng.uniform(-1.5, 1.5), rng.uniform(-33, -30)])
        at = datetime(2026, 11, 29, tzinfo=UTC) + timedelta(days=away)
        counted = 1000 + int(away * 12)
        sequence = {
            "on": counted,
            "mixed": counted + rng.randint(0, 20),
            "anew": rng.randint(0, 40),
            "jumps": counted if rng.random() < 0.95 else rng.randint(0, 1100),
        }
        producer = rng.choice(list(sequence))
        made = numbered(number, occurred_at=at.isoformat(), producer_id=producer) | {"sequence": sequence[producer]}
        if rng.random() < 0.3:
            off = timedelta(minutes=rng.choice([4, 600, -600, 20_000, 60_000]))
            made |= {"sent_at": at.isoformat(), "received_at": (at + off).isoformat()}
        sent.append(made)
    take(warehouse, sent)

    gaps = 0
    for day in (date(2026, 11, 27), DAY, date(2026, 11, 30)):
        with warehouse.read() as connection:
            expected = dict(connection.execute(_PLAIN, {"day": day}).fetchall())
        found = {name: row["gaps"] for (_, tenant, name), row in rows(warehouse, day).items() if tenant != "*"}
        del found["*"]
        assert found == expected, day
        gaps += sum(expected.values())

    assert gaps > 20
