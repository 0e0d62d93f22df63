"""The warehouse under faults: full disks, commits in doubt, damaged logs, clocks that jump."""

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.ingest.run import ingest
from pipelines.io.clock import now
from pipelines.io.files import FileSource
from pipelines.io.room import FullDiskError
from pipelines.io.warehouse import Connection, DamagedWarehouseError, Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.marts.publishing.run import publish
from pipelines.night.run import Plan, run_night
from schemas.sources import BatchLimits
from tests.integration.faults.children import start_ingester
from tests.integration.faults.small_disk import SmallDisk
from tests.streaming.laws import assert_laws, projections, totals, undisturbed
from tests.streaming.traffic import records

pytestmark = pytest.mark.integration
SMALL = BatchLimits(rows=40)


def lines(folder: Path, content: list[bytes], name: str = "events.jsonl") -> Path:
    """Write records to a file."""
    file = folder / name
    file.write_bytes(b"".join(record + b"\n" for record in content))
    return file


class InDoubt:
    """A connection whose commits fail as told: `before` they took place, or `after`."""

    def __init__(self, real: Connection, fail: Callable[[], str | None]) -> None:
        self._real = real
        self._fail = fail

    def execute(self, statement: str, *arguments: Any) -> Any:
        if statement == "commit" and (when := self._fail()):
            if when == "after":
                self._real.execute("commit")
            raise duckdb.FatalException("FATAL: the outcome of the commit is not known")
        return self._real.execute(statement, *arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class Doubtful(Warehouse):
    """A warehouse one in five of whose commits fails."""

    def __init__(self, path: Path, when: str) -> None:
        super().__init__(path, memory_limit="512MB")
        self._when = when
        self._rng = random.Random(3)
        self.failures = 0

    def _connect(
        self, *, read_only: bool, writable_folder: Path | None = None, threads: int | None = None
    ) -> Connection:
        real = super()._connect(read_only=read_only, writable_folder=writable_folder, threads=threads)
        return InDoubt(real, self._next)  # type: ignore[return-value]

    def _next(self) -> str | None:
        if self._contract_checked and self._rng.random() < 0.2:
            self.failures += 1
            return self._when
        return None


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_commit_in_doubt(tmp_path: Path, when: str) -> None:
    """An error from COMMIT tells nothing: what counts is what the database says when it is opened anew."""
    sent = records(600)
    file = lines(tmp_path, sent)
    doubtful = Doubtful(tmp_path / "warehouse.duckdb", when)
    for _ in range(100):
        try:
            ingest(FileSource([file]), doubtful, now=now, limits=SMALL)
        except duckdb.FatalException:
            continue
        break

    assert doubtful.failures >= 2
    calm = Warehouse(doubtful.path, memory_limit="512MB")
    assert_laws(calm, undisturbed(tmp_path / "calm", sent), stored=600)


@pytest.mark.parametrize("damage", ["truncated", "corrupted"])
def test_a_damaged_log_of_the_database(warehouse: Warehouse, tmp_path: Path, damage: str) -> None:
    """Either DuckDB passes over what is damaged, or it refuses to open and the log is set aside: all comes back."""
    sent = records(900)
    first, second = lines(tmp_path, sent[:300], "a.jsonl"), lines(tmp_path, sent[300:], "b.jsonl")
    ingest(FileSource([first]), warehouse, now=now)
    child = start_ingester(warehouse.path, 40, str(first), str(second), DIE_AFTER="500")
    child.communicate(timeout=120)
    log = warehouse.path.with_name(warehouse.path.name + ".wal")
    assert child.returncode == 9
    content = bytearray(log.read_bytes())
    assert len(content) > 10_000
    if damage == "truncated":
        del content[len(content) * 2 // 3 :]
    else:
        content[len(content) // 2] ^= 0xFF
    log.write_bytes(content)

    try:
        ingest(FileSource([first, second]), warehouse, now=now, limits=SMALL)
    except DamagedWarehouseError:
        shutil.move(log, tmp_path / "set-aside.wal")
        ingest(FileSource([first, second]), warehouse, now=now, limits=SMALL)

    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=900)


class Failing(Warehouse):
    """A warehouse whose writer fails at its n-th statement, as if the process ended there."""

    def __init__(self, path: Path, last: int) -> None:
        super().__init__(path, memory_limit="512MB", threads=1)
        self.left = last

    def _connect(
        self, *, read_only: bool, writable_folder: Path | None = None, threads: int | None = None
    ) -> Connection:
        real = super()._connect(read_only=read_only, writable_folder=writable_folder, threads=threads)
        return real if read_only else Counting(real, self)  # type: ignore[return-value]


class Counting:
    """A connection that counts what is asked of it."""

    def __init__(self, real: Connection, owner: Failing) -> None:
        self._real = real
        self._owner = owner

    def execute(self, statement: str, *arguments: Any) -> Any:
        if statement != "rollback":
            self._owner.left -= 1
            if self._owner.left == 0:
                raise RuntimeError("the process ended here")
        return self._real.execute(statement, *arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_an_end_at_every_statement(tmp_path: Path) -> None:
    """Wherever between two statements the ingester ends, the next one makes it whole."""
    sent = records(30)
    file = lines(tmp_path, [*sent, sent[2], b"{"])
    expected = undisturbed(tmp_path / "calm", sent)
    ends = 0
    empty = Warehouse(tmp_path / "empty.duckdb")
    with empty.write():
        pass  # the tables are there; what follows is the ingester's own
    for last in range(1, 500):
        warehouse = Failing(tmp_path / f"{last}.duckdb", last)
        shutil.copy(empty.path, warehouse.path)
        warehouse._contract_checked = True
        try:
            ingest(FileSource([file]), warehouse, now=now, limits=BatchLimits(rows=16))
        except RuntimeError:
            ends += 1
        else:
            break
        calm = Warehouse(warehouse.path, memory_limit="512MB", threads=1)
        calm._contract_checked = True
        ingest(FileSource([file]), calm, now=now, limits=BatchLimits(rows=16))
        found = projections(calm), totals(calm).stored, totals(calm).duplicates, totals(calm).quarantined
        assert found == (expected, 30, 1, 1), last

    assert ends > 20


def test_a_clock_that_jumps(warehouse: Warehouse, tmp_path: Path) -> None:
    """The ingester's clock goes back ten years and forward thirty: only the note of when a batch came is off."""
    sent = records(300)
    rng = random.Random(5)

    def jumping() -> datetime:
        return datetime(2026, 11, 30, tzinfo=UTC) + timedelta(days=rng.choice([-3650, 0, 11000]))

    ingest(FileSource([lines(tmp_path, sent)]), warehouse, now=jumping, limits=SMALL)

    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=300)


def test_a_poison_record_and_a_bomb_among_good_ones(warehouse: Warehouse, tmp_path: Path) -> None:
    """Broken bytes, ten megabytes in one record, and a gzip file that unpacks to a line of 300 MB stop nobody."""
    import gzip

    sent = records(40)
    poison = [b"\xff\xfe", b"{", b'{"event_type": "turn"}', b"[" * 5000, b'"' + b"x" * 10_000_000 + b'"']
    plain = lines(tmp_path, [*sent[:10], *poison, *sent[10:20]], "a.jsonl")
    bomb = tmp_path / "b.jsonl.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as file:
        file.write(b"\n".join(sent[20:30]) + b"\n")
        for _ in range(300):
            file.write(b"0" * 1_000_000)
        file.write(b"\n" + b"\n".join(sent[30:]) + b"\n")

    counts = ingest(FileSource([plain, bomb]), warehouse, now=now)

    assert (counts.stored, counts.quarantined) == (40, len(poison) + 1)
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=40)


def test_a_full_disk_under_the_warehouse(tmp_path: Path, small_disk: SmallDisk) -> None:
    """The ingester fails loudly where there is no room, and goes on where it was once there is."""
    sent = records(9000)
    file = lines(tmp_path, sent)
    warehouse = Warehouse(small_disk.folder / "warehouse.duckdb", memory_limit="512MB")
    failures = 0
    with pytest.raises(FullDiskError):
        ingest(FileSource([file]), warehouse, now=now, limits=BatchLimits(rows=200))
    for _ in range(3):  # and again, while it is full
        try:
            ingest(FileSource([file]), warehouse, now=now, limits=BatchLimits(rows=200))
        except FullDiskError:
            failures += 1
    small_disk.grow("256m")

    ingest(FileSource([file]), warehouse, now=now)

    assert failures == 3
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=len(sent))


def test_a_disk_with_room_for_a_part_of_what_is_published(tmp_path: Path, small_disk: SmallDisk) -> None:
    """However little is missing: it is said, what was published before stays, and nothing is left lying about."""
    small_disk.grow("64m")
    warehouse = Warehouse(tmp_path / "warehouse.duckdb", memory_limit="512MB")
    ingest(FileSource([lines(tmp_path, records(300))]), warehouse, now=now)
    published, filler = small_disk.folder / "published", small_disk.folder / "filler"
    rows = publish(warehouse, published)
    before = {path.name: path.stat().st_mtime_ns for path in published.glob("[!.]*")}
    refused = 0

    for kilobytes in range(256, 8192, 512):
        filler.unlink(missing_ok=True)
        free = shutil.disk_usage(small_disk.folder).free
        filler.write_bytes(bytes(free - kilobytes * 1024))
        try:
            publish(warehouse, published)
        except FullDiskError:
            refused += 1
            assert {path.name: path.stat().st_mtime_ns for path in published.glob("[!.]*")} == before
        else:
            before = {path.name: path.stat().st_mtime_ns for path in published.glob("[!.]*")}
        with duckdb.connect(published / "nightcheck.duckdb", read_only=True) as connection:
            (found,) = connection.execute("select count(*) from duckdb_tables() where schema_name = 'marts'").fetchall()
        assert found == (len(rows),)
        assert [path.name for path in published.glob(".*.new*")] == []

    assert 0 < refused < 16


def test_a_full_disk_during_a_night_and_a_publication(tmp_path: Path, small_disk: SmallDisk) -> None:
    """Both say that there is no room; what was published before stays whole, and with room the same is done."""
    warehouse = Warehouse(small_disk.folder / "warehouse.duckdb", memory_limit="512MB")
    ingest(FileSource([lines(tmp_path, records(300))]), warehouse, now=now)
    published = small_disk.folder / "published"
    publish(warehouse, published)
    before = {path.name: path.read_bytes() for path in published.iterdir()}
    with (small_disk.folder / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while filler.write(b"0" * 4096):
            pass

    with pytest.raises(FullDiskError):
        publish(warehouse, published)
    plan = Plan(environments=("production",), seed="1", cap=None)
    with warehouse.read() as connection:
        ((day,),) = connection.execute("select max(day) from canonical.turns").fetchall()
    with pytest.raises(FullDiskError):
        run_night(warehouse, day, LexicalJudge(), plan, now=now)

    assert {path.name: path.read_bytes() for path in published.iterdir()} == before
    small_disk.grow("64m")
    assert run_night(warehouse, day, LexicalJudge(), plan, now=now).answers > 0
    assert publish(warehouse, published).keys() == {path.stem for path in published.glob("*.parquet")}
