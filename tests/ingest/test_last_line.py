"""The last line of a file that has no line feed: a whole record, or one that is still being written."""

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.ingest.run import Counts
from pipelines.io.files import FileSource, StandardInput
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits, Position
from tests.ingest.test_run import assert_conserved, rows_of, run, turn

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".jsonl": bytes,
    ".jsonl.gz": gzip.compress,
    ".jsonl.zst": zstandard.compress,
}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a new warehouse."""
    return Warehouse(tmp_path / "warehouse.duckdb")


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_line_that_is_still_being_written_waits_for_its_end(
    warehouse: Warehouse, tmp_path: Path, suffix: str
) -> None:
    """Half a record is none: it is told, and read when the file has grown or was replaced by the whole."""
    path, pack = tmp_path / f"events{suffix}", PACKERS[suffix]
    whole = turn(1) + b"\n" + turn(2) + b"\n" + turn(3) + b"\n"
    waiting: list[tuple[Path, int]] = []
    source = FileSource([path], on_unfinished=lambda file, size: waiting.append((file, size)))

    path.write_bytes(pack(whole[: len(turn(1)) + 21]))
    torn = run(warehouse, source)
    again = run(warehouse, source)
    path.write_bytes(pack(whole))
    rest = run(warehouse, source)

    assert (torn, again, rest) == (Counts(consumed=1, stored=1), Counts(), Counts(consumed=2, stored=2))
    assert waiting == [(path, 20)] * 2
    assert rows_of(warehouse, "ingest.quarantine") == []
    assert_conserved(warehouse)


@pytest.mark.parametrize("more", [b"\n", b"\r\n", b" \n"])
def test_a_whole_record_needs_no_line_feed(warehouse: Warehouse, tmp_path: Path, more: bytes) -> None:
    """Many programs write none at the end; when one comes after all, it is no record."""
    path = tmp_path / "events.jsonl"
    waiting: list[int] = []
    source = FileSource([path], on_unfinished=lambda _file, size: waiting.append(size))

    path.write_bytes(turn(1) + b"\n" + turn(2))
    first = run(warehouse, source)
    path.write_bytes(turn(1) + b"\n" + turn(2) + more + turn(3))
    grown = run(warehouse, source)

    assert (first, grown) == (Counts(consumed=2, stored=2), Counts(consumed=1, stored=1))
    assert waiting == []
    assert_conserved(warehouse)


@pytest.mark.parametrize(
    ("last", "waits"),
    [(b"12", True), (b"{", True), (b"", False), (b"  ", False), (b"[]", False), (b'{"a": 1e999}', False)],
)
def test_what_could_be_the_beginning_of_something_else_waits(tmp_path: Path, last: bytes, waits: bool) -> None:
    """A number may go on, half a text will; a whole value that is no event is read, and rejected by the decoder."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(turn(1) + b"\n" + last)
    waiting: list[int] = []

    list(FileSource([path], on_unfinished=lambda _file, size: waiting.append(size)).batches({}, BatchLimits()))

    assert waiting == ([len(last)] if waits else [])


def test_nothing_comes_after_the_end_of_standard_input(warehouse: Warehouse) -> None:
    """Half a record there is quarantined: nobody can send the rest of it."""
    counts = run(warehouse, StandardInput(io.BytesIO(turn(1) + b"\n" + turn(2)[:20])))

    assert counts == Counts(consumed=2, stored=1, quarantined=1)
    assert_conserved(warehouse)


@pytest.mark.property
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records=st.lists(st.integers(0, 9), min_size=1, max_size=4), data=st.data(), feed=st.booleans())
def test_a_file_that_grows_is_the_same_records(
    tmp_path: Path, records: list[int], data: st.DataObject, feed: bool
) -> None:
    """Wherever a file ended each time it was read, its records come out once each, whole and in order."""
    path = tmp_path / "grows.jsonl"
    content = b"\n".join(turn(number) for number in records) + (b"\n" if feed else b"")
    ends = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=4)))
    found: list[bytes] = []
    positions: dict[str, Position] = {}

    for end in [*ends, len(content)]:
        path.write_bytes(content[:end])
        for (stretch,) in FileSource([path]).batches(positions, BatchLimits(rows=2)):
            found += stretch.records
            assert stretch.end is not None
            positions[stretch.partition] = stretch.end

    assert found == [turn(number) for number in records]
