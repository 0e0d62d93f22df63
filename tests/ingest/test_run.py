"""Records go into the warehouse exactly once in effect, and every one of them is accounted for."""

import gzip
import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard

from pipelines.errors import UsageError
from pipelines.ingest.conflicts.run import settle
from pipelines.ingest.conservation import violations
from pipelines.ingest.quarantine.run import replay
from pipelines.ingest.run import PROJECTIONS, Counts, ingest, rebuild
from pipelines.io.files import BrokenFileError, FileSource, find_files
from pipelines.io.spool import SpoolSource, SpoolTakenError, SpoolWriter
from pipelines.io.warehouse import Warehouse, WarehouseTimeZoneError
from schemas import sql
from schemas.sources import BatchLimits, Source
from tests.ingest.sources import CRASH, CrashError, Records

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def turn(number: int, **changes: Any) -> bytes:
    """Return a turn event; the same number is the same event."""
    event = {
        "event_id": str(uuid.UUID(int=number)),
        "event_type": "turn",
        "schema_version": 1,
        "tenant": "help.example.com",
        "environment": "production",
        "occurred_at": (NOON - timedelta(hours=number % 1000)).isoformat(),
        "conversation_id": f"c-{number % 7}",
        "payload": {"turn_id": f"t-{number}", "turn_index": 0, "message": f"Question {number}?"},
    }
    return json.dumps(event | changes).encode()


def retrieval(number: int) -> bytes:
    """Return a retrieval event with two passages, ranked out of order."""
    payload = {
        "retrieval_id": f"r-{number}",
        "turn_id": f"t-{number}",
        "outcome": "searched",
        "searched_query": "plans",
        "passages": [
            {"passage_id": "b", "kind": "document", "text": "__REDACTED__", "rank": 2},
            {"passage_id": "a", "kind": "document", "text": "Plans.", "rank": 1},
        ],
    }
    return turn(1_000_000 + number, event_type="retrieval", payload=payload)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a new warehouse."""
    return Warehouse(tmp_path / "warehouse.duckdb")


def run(warehouse: Warehouse, source: Source, rows: int = 3) -> Counts:
    """Ingest with small batches."""
    return ingest(source, warehouse, now=lambda: NOON, limits=BatchLimits(rows=rows))


def rows_of(warehouse: Warehouse, table: str) -> list[tuple[Any, ...]]:
    """Return all rows of a table in a fixed order."""
    with warehouse.read() as connection:
        return connection.execute(f"from {table} order by all").fetchall()


def projections(warehouse: Warehouse) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of all canonical tables."""
    return {name: rows_of(warehouse, f"canonical.{name}") for name in PROJECTIONS}


def assert_conserved(warehouse: Warehouse) -> None:
    """Hold the conservation law."""
    with warehouse.read() as connection:
        counts = connection.sql(sql.load("ops/conservation.sql")).pl().to_dicts()[0]
    assert violations(counts) == []


def test_every_record_has_one_fate(warehouse: Warehouse) -> None:
    """New, duplicate, conflict and quarantined add up to what was consumed."""
    other = turn(1, payload={"turn_id": "t-1", "turn_index": 0, "message": "Something else"})
    resent = turn(2, sent_at="2026-11-29T12:00:00Z", received_at="2026-11-29T12:00:01Z")

    counts = run(warehouse, Records([turn(1), turn(1), turn(2), other, resent, b"{", turn(3)]))

    assert counts == Counts(consumed=7, stored=3, duplicates=2, conflicts=1, quarantined=1)
    assert [row[1] for row in rows_of(warehouse, "ingest.conflicts")] == [uuid.UUID(int=1)]
    assert_conserved(warehouse)


def test_one_tenant_cannot_suppress_the_event_of_another(warehouse: Warehouse) -> None:
    """The same event id under two tenants is two events."""
    counts = run(warehouse, Records([turn(1), turn(1, tenant="docs.example.com")]))

    assert counts.stored == 2


def test_duplicates_are_found_within_a_batch_and_across_batches(warehouse: Warehouse) -> None:
    """It does not matter how the deliveries fall into batches."""
    records = [turn(1), turn(1), turn(2), turn(1), turn(2)]

    for rows in (1, 2, 5):
        fresh = Warehouse(warehouse.path.with_name(f"{rows}.duckdb"))
        assert run(fresh, Records(records), rows) == Counts(consumed=5, stored=2, duplicates=3)


def test_a_poison_record_does_not_harm_its_neighbours(warehouse: Warehouse) -> None:
    """What stands around a bad record is stored, and the bad one keeps its bytes and its place."""
    run(warehouse, Records([turn(1), b"\xff\xfe", turn(2)]))

    assert len(rows_of(warehouse, "canonical.turns")) == 2
    with warehouse.read() as connection:
        kept = connection.execute('select reason, "offset", raw from ingest.quarantine').fetchall()
    assert kept == [("not_utf8", 1, b"\xff\xfe")]


def test_a_crash_loses_nothing_and_counts_nothing_twice(warehouse: Warehouse, tmp_path: Path) -> None:
    """A run that dies and goes on leaves what an undisturbed run leaves."""
    good = [turn(number) for number in range(10)] + [retrieval(1), b"oops"]
    disturbed = [*good[:4], CRASH, *good[4:9], CRASH, *good[9:]]
    undisturbed = Warehouse(tmp_path / "undisturbed.duckdb")
    run(undisturbed, Records(good))

    for _ in range(2):
        with pytest.raises(CrashError):
            run(warehouse, Records(disturbed))
        disturbed.remove(CRASH)
    run(warehouse, Records(disturbed))

    assert projections(warehouse) == projections(undisturbed)
    assert_conserved(warehouse)


def test_a_batch_that_fails_leaves_no_trace(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and positions are one transaction: without the one there is not the other."""
    run(warehouse, Records([turn(1)]))

    def fail(*_: object) -> None:
        raise CrashError

    monkeypatch.setattr("pipelines.ingest.run._store_positions", fail)
    with pytest.raises(CrashError):
        run(warehouse, Records([turn(1), turn(2)]))

    assert len(rows_of(warehouse, "ingest.events")) == 1
    assert rows_of(warehouse, "ingest.positions") == [("memory", 1, None)]
    assert_conserved(warehouse)


def test_a_rebuild_changes_nothing(warehouse: Warehouse) -> None:
    """The projections are derived from the raw log, and come out the same when they are derived anew."""
    run(warehouse, Records([turn(1), turn(1), retrieval(1), turn(2), b"x", retrieval(2)]))
    before = projections(warehouse)

    read = rebuild(warehouse, rows=2)

    assert read == 4
    assert projections(warehouse) == before
    assert len(before["passages"]) == 4


def test_passages_stand_in_the_order_of_their_ranks_and_hidden_text_is_null(warehouse: Warehouse) -> None:
    """Ordinals follow the ranks, whatever the order of sending; `__REDACTED__` is no text."""
    run(warehouse, Records([retrieval(1)]))

    with warehouse.read() as connection:
        rows = connection.execute(
            "select ordinal, passage_id, text from canonical.passages order by ordinal"
        ).fetchall()
    assert rows == [(1, "a", "Plans."), (2, "b", None)]


def test_a_clock_that_is_clearly_off_is_corrected(warehouse: Warehouse) -> None:
    """An hour of skew moves the event; a second of network does not."""
    hour = {
        "occurred_at": "2026-11-29T10:00:00Z",
        "sent_at": "2026-11-29T10:00:05Z",
        "received_at": "2026-11-29T11:00:05Z",
    }
    second = {
        "occurred_at": "2026-11-29T10:00:00Z",
        "sent_at": "2026-11-29T10:00:05Z",
        "received_at": "2026-11-29T10:00:06Z",
    }

    run(warehouse, Records([turn(1, **hour), turn(2, **second)]))

    with warehouse.read() as connection:
        hours = connection.execute("select hour(occurred_at) from canonical.turns order by turn_id").fetchall()
    assert hours == [(11,), (10,)]


def test_a_day_is_a_day_of_the_warehouses_time_zone(tmp_path: Path) -> None:
    """Just before midnight in UTC is the next day in Rome."""
    rome = Warehouse(tmp_path / "rome.duckdb", time_zone="Europe/Rome")

    run(rome, Records([turn(1, occurred_at="2026-11-29T23:30:00Z")]))

    with rome.read() as connection:
        assert connection.execute("select day::varchar from canonical.turns").fetchall() == [("2026-11-30",)]


def test_what_is_fixed_can_be_replayed_from_quarantine(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that the contract accepts now is stored, and released; the law holds before and after."""
    run(warehouse, Records([turn(1), turn(2, tenant="no host"), b"{"]))
    assert replay(warehouse, now=lambda: NOON) == (0, 2)

    monkeypatch.setattr("pipelines.ingest.decode._tenant", lambda _name: "help.example.com")

    assert replay(warehouse, now=lambda: NOON) == (1, 1)
    assert replay(warehouse, now=lambda: NOON) == (0, 1)
    assert len(rows_of(warehouse, "canonical.turns")) == 2
    assert_conserved(warehouse)


def test_the_json_torture_set_goes_through_the_warehouse(warehouse: Warehouse, shared_data: Path) -> None:
    """Every file is one record: none crashes, all are quarantined, the law holds."""
    records = [file.read_bytes() for file in sorted((shared_data / "jsontestsuite").glob("*/*"))]

    counts = run(warehouse, Records(records), rows=50)

    assert counts == Counts(consumed=len(records), quarantined=len(records))
    assert_conserved(warehouse)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_files_are_read_on_from_where_they_were_left(warehouse: Warehouse, tmp_path: Path, suffix: str) -> None:
    """A file that grew is read on; one that was replaced is read from its start."""
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".jsonl": bytes,
        ".jsonl.gz": gzip.compress,
        ".jsonl.zst": zstandard.compress,
    }
    pack = packers[suffix]
    path = tmp_path / f"events{suffix}"
    path.write_bytes(pack(b"\n".join([turn(1), b"", turn(2)]) + b"\n"))
    first = run(warehouse, FileSource([path]))
    again = run(warehouse, FileSource([path]))
    path.write_bytes(pack(b"\n".join([turn(1), b"", turn(2), turn(3)])))
    grown = run(warehouse, FileSource([path]))
    path.write_bytes(pack(b"\n".join([turn(9), turn(1), turn(2), turn(3), turn(4)])))
    replaced = run(warehouse, FileSource([path]))

    assert first == Counts(consumed=2, stored=2)
    assert again == Counts()
    assert grown == Counts(consumed=1, stored=1)
    assert replaced == Counts(consumed=5, stored=2, duplicates=3)
    assert_conserved(warehouse)


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.zst"])
def test_a_truncated_archive_says_where_and_keeps_what_came_before(
    warehouse: Warehouse, tmp_path: Path, suffix: str
) -> None:
    """The records before the damage are stored; the error names the file. The whole file is read on from there."""
    lines = b"\n".join(turn(number) for number in range(2000))
    packed = gzip.compress(lines) if suffix == ".jsonl.gz" else zstandard.compress(lines)
    path = tmp_path / f"events{suffix}"
    path.write_bytes(packed[:-2000])

    with pytest.raises(BrokenFileError, match=r"events\.jsonl\.\w+: damaged after byte"):
        run(warehouse, FileSource([path]), rows=100)
    kept = len(rows_of(warehouse, "canonical.turns"))
    path.write_bytes(packed)
    rest = run(warehouse, FileSource([path]), rows=100)

    assert kept > 100
    assert rest == Counts(consumed=2000 - kept, stored=2000 - kept)
    assert_conserved(warehouse)


@pytest.mark.parametrize("cut", [1, 9])
def test_an_archive_of_several_frames_is_whole_only_with_the_last(
    warehouse: Warehouse, tmp_path: Path, cut: int
) -> None:
    """Frames that follow each other are one content; one that is not finished is no end."""
    path = tmp_path / "events.jsonl.zst"
    first, second = zstandard.compress(turn(1) + b"\n"), zstandard.compress(turn(2) + b"\n")
    path.write_bytes(first + second[:-cut])

    with pytest.raises(BrokenFileError, match="not finished"):
        run(warehouse, FileSource([path]))
    path.write_bytes(first + second)
    whole = run(warehouse, FileSource([path]))

    assert whole == Counts(consumed=1, stored=1)


def test_a_line_without_end_is_one_rejected_record(warehouse: Warehouse, tmp_path: Path) -> None:
    """Twenty megabytes without a line feed are too large, and the next line is read."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"x" * 20_000_000 + b"\n" + turn(1) + b"\n")

    counts = run(warehouse, FileSource([path]))

    assert counts == Counts(consumed=2, stored=1, quarantined=1)


def test_a_folder_is_its_files_and_nothing_else(tmp_path: Path) -> None:
    """Files of records are found by their names, in order; a folder without any is a mistake."""
    (tmp_path / "deep").mkdir()
    for name in ("b.jsonl", "deep/a.jsonl.gz", "notes.txt"):
        (tmp_path / name).touch()

    assert [file.name for file in find_files(tmp_path)] == ["b.jsonl", "a.jsonl.gz"]
    with pytest.raises(UsageError, match="no such file"):
        find_files(tmp_path / "missing")


def test_the_spool_is_read_as_it_grows(warehouse: Warehouse, tmp_path: Path) -> None:
    """Segments are read in order, each record once; a line feed inside a record does not tear it."""
    folder = tmp_path / "spool"
    with SpoolWriter(folder, segment_bytes=500) as writer:
        writer.append([turn(1), turn(2)])
        first = run(warehouse, SpoolSource(folder))
        writer.append([json.dumps(json.loads(turn(3)), indent=1).encode()])
        writer.append([turn(4)])
        second = run(warehouse, SpoolSource(folder))

    assert (first.stored, second.stored) == (2, 2)
    assert run(warehouse, SpoolSource(folder)) == Counts()


def test_a_torn_line_of_a_crashed_writer_ends_in_quarantine(warehouse: Warehouse, tmp_path: Path) -> None:
    """While it is the last line it may still be written to; once another segment follows it never will."""
    folder = tmp_path / "spool"
    with SpoolWriter(folder) as writer:
        writer.append([turn(1)])
    with (folder / "00000000000000000001.jsonl").open("ab") as segment:
        segment.write(turn(2)[:40])
    unfinished = run(warehouse, SpoolSource(folder))
    with SpoolWriter(folder) as writer:
        writer.append([turn(3)])
    finished = run(warehouse, SpoolSource(folder))

    assert unfinished == Counts(consumed=1, stored=1)
    assert finished == Counts(consumed=2, stored=1, quarantined=1)


def test_a_spool_has_one_writer(tmp_path: Path) -> None:
    """A second writer is told so."""
    with SpoolWriter(tmp_path), pytest.raises(SpoolTakenError):
        SpoolWriter(tmp_path)


def test_a_rebuild_cuts_the_days_anew_in_another_time_zone(warehouse: Warehouse) -> None:
    """After a change of time zone everything refuses to go on until a rebuild has moved every event to its day."""
    run(warehouse, Records([turn(1, occurred_at="2026-11-29T23:30:00Z"), turn(2)]))
    rome = Warehouse(warehouse.path, time_zone="Europe/Rome")
    with pytest.raises(WarehouseTimeZoneError):
        run(rome, Records([turn(3)]))

    rebuild(rome)

    with rome.read() as connection:
        days = connection.execute("select day::varchar from canonical.turns order by 1").fetchall()
        touched = connection.execute("select day::varchar, events from ingest.batch_days order by 1").fetchall()
    assert days == [("2026-11-29",), ("2026-11-30",)]
    assert touched == [("2026-11-29", 1), ("2026-11-30", 1)]
    with pytest.raises(WarehouseTimeZoneError), Warehouse(warehouse.path).read():
        pass


def test_the_same_id_under_another_time_is_a_conflict_by_the_next_morning(warehouse: Warehouse) -> None:
    """The hot path looks within days; the night finds what was stored twice, keeps the first, and the law holds."""
    run(warehouse, Records([turn(1), turn(2)]))
    moved_to_october = turn(1, occurred_at="2026-10-01T00:00:00Z")
    run(warehouse, Records([moved_to_october], partition="later"))
    run(warehouse, Records([turn(3)], partition="last"))
    expected = Warehouse(warehouse.path.with_name("expected.duckdb"))
    run(expected, Records([turn(1), turn(2), turn(3)]))

    assert settle(warehouse) == 1
    assert settle(warehouse) == 0

    assert projections(warehouse) == projections(expected)
    assert [row[-1] for row in rows_of(warehouse, "ingest.conflicts")] == [moved_to_october]
    assert_conserved(warehouse)
    rebuild(warehouse)
    assert projections(warehouse) == projections(expected)
