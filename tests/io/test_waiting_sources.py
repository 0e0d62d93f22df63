"""Sources that wait: nobody holds the warehouse meanwhile, and who is told to stop does."""

import os
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of kafka-python's way to read its schemas, at import
    from kafka import TopicPartition
    from kafka.structs import OffsetAndTimestamp

    from pipelines.io.kafka import KafkaReplay, Span
    from pipelines.io.kafka_connection import KafkaSettings

from pipelines.ingest.run import ingest
from pipelines.io.files import FileSource, StandardInput
from pipelines.io.warehouse import BusyWarehouseError, NoWarehouseError, Warehouse
from schemas.sources import BatchLimits
from tests.streaming.laws import totals
from tests.streaming.traffic import records

START, END = datetime(2026, 11, 29, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)
SENT = records(6)


@dataclass
class Consumer:
    """A consumer of one partition whose broker falls silent behind some of its records."""

    records: list[bytes]
    silent_from: int
    place: int = 0

    def assign(self, _places: list[TopicPartition]) -> None:
        """There is one partition."""

    def seek(self, _place: TopicPartition, offset: int) -> None:
        """Go there."""
        self.place = offset

    def position(self, _place: TopicPartition) -> int:
        """Return where it is."""
        return self.place

    def offsets_for_times(self, times: dict[TopicPartition, int]) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """Return the beginning for the start, and nothing for the end."""
        return {
            place: OffsetAndTimestamp(0, 0, -1) if at < END.timestamp() * 1000 else None for place, at in times.items()
        }

    def end_offsets(self, places: list[TopicPartition]) -> dict[TopicPartition, int]:
        """Return how many there are."""
        return dict.fromkeys(places, len(self.records))


class Connection:
    """A connection to such a broker; how often it was asked in vain is counted."""

    def __init__(self, silent_from: int) -> None:
        self.consumer = Consumer(records=SENT, silent_from=silent_from)
        self.in_vain = 0

    def describe(self) -> tuple[str, list[int]]:
        """Return one partition."""
        return "id", [0]

    def poll(self, _seconds: float, rows: int) -> dict[TopicPartition, list[tuple[int, bytes]]]:
        """Return what is there, or nothing; one who asks for ever is told so."""
        start = self.consumer.place
        end = min(start + rows, self.consumer.silent_from)
        if start >= end:
            self.in_vain += 1
            assert self.in_vain < 50, "asked for ever"
            return {}
        self.consumer.place = end
        return {TopicPartition("events", 0): list(enumerate(SENT))[start:end]}

    def close(self) -> None:
        """Nothing to do."""


def test_a_broker_that_falls_silent_amid_a_replay_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came is stored, another reads the warehouse while the broker is waited for, and the replay can be ended."""
    connection = Connection(silent_from=4)
    monkeypatch.setattr("pipelines.io.kafka.KafkaConnection", lambda _topic, _settings: connection)
    home, seen = Warehouse(tmp_path / "warehouse.duckdb"), []
    replay = KafkaReplay("events", KafkaSettings(), Span(start=START, end=END))

    def look() -> bool:
        if connection.in_vain < 2:
            return False
        seen.append(totals(Warehouse(home.path, wait_seconds=0.0)).stored)  # from outside: raises where it is held
        return len(seen) == 3

    counts = ingest(replay, home, now=lambda: END, limits=BatchLimits(rows=3), stop=look)

    assert counts.stored == 4
    assert seen == [4, 4, 4]


def test_a_replay_ends_where_its_span_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that answers is read to the end, and nothing is made of its silence before the first record."""
    connection = Connection(silent_from=len(SENT))
    monkeypatch.setattr("pipelines.io.kafka.KafkaConnection", lambda _topic, _settings: connection)

    batches = list(KafkaReplay("events", KafkaSettings(), Span(start=START, end=END)).batches({}, BatchLimits(rows=4)))

    assert [record for (stretch,) in batches for record in stretch.records] == SENT
    assert connection.in_vain == 0


@pytest.fixture
def pipe() -> Iterator[tuple[int, StandardInput]]:
    """Make a pipe: the end that is written to, and the source that reads the other."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream:
        yield writing, StandardInput(stream)


def test_standard_input_that_falls_silent_keeps_nobody_out(tmp_path: Path, pipe: tuple[int, StandardInput]) -> None:
    """What came is stored, a line that is half there waits for its other half, and who is told to stop does."""
    writing, source = pipe
    home = Warehouse(tmp_path / "warehouse.duckdb")
    seen: list[int] = []
    os.write(writing, b"\n".join(SENT[:4]) + b"\n" + SENT[4][:100])

    def look() -> bool:
        with suppress(BusyWarehouseError, NoWarehouseError):  # asked between two batches of a backlog, or before any
            seen.append(totals(Warehouse(home.path, wait_seconds=0.0)).stored)
        if seen[-1:] == [4] and seen.count(4) == 1:
            os.write(writing, SENT[4][100:] + b"\n")
        return seen[-1:] == [5]

    counts = ingest(source, home, now=lambda: END, limits=BatchLimits(rows=3), stop=look)
    os.close(writing)

    assert counts.stored == counts.consumed == 5
    assert {4, 5} <= set(seen)


def test_standard_input_is_read_to_its_end(tmp_path: Path, pipe: tuple[int, StandardInput]) -> None:
    """A last line needs no line feed."""
    writing, source = pipe
    os.write(writing, b"\n\n".join(SENT))
    os.close(writing)

    counts = ingest(source, Warehouse(tmp_path / "warehouse.duckdb"), now=lambda: END)

    assert counts.stored == counts.consumed == len(SENT)


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_a_line_that_is_too_long_is_one_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Its beginning is handed on, its rest passed over, and no position lies within it: from a file and from a pipe."""
    monkeypatch.setattr("pipelines.io.files._LONGEST_LINE", 10)
    lines = b"a\n" + b"x" * 35 + b"\n" + b"y" * 10 + b"\nb\n" + b"z" * 20
    file = tmp_path / "lines.jsonl"
    file.write_bytes(lines)
    with file.open("rb") as stream:
        piped = [batch for batch in StandardInput(stream).batches({}, BatchLimits(rows=rows)) if batch]
    read = list(FileSource([file]).batches({}, BatchLimits(rows=rows)))

    for batches in (read, piped):
        assert [record for (stretch,) in batches for record in stretch.records] == [
            b"a",
            b"x" * 10,
            b"y" * 10,
            b"b",
            b"z" * 10,
        ]
        assert [offset for (stretch,) in batches for offset in stretch.offsets] == [0, 2, 38, 49, 51]
    assert {stretch.end.offset for (stretch,) in read if stretch.end} <= {2, 38, 49, 51, 71}
