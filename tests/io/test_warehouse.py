"""The one door to the DuckDB file."""

import multiprocessing
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from pipelines.io.warehouse import (
    BusyWarehouseError,
    NoWarehouseError,
    OpenElsewhereError,
    Warehouse,
    WarehouseTimeZoneError,
)
from schemas import sql


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse that exists."""
    made = Warehouse(tmp_path / "warehouse.duckdb")
    with made.write():
        pass
    return made


def test_reading_what_was_never_written_says_what_to_do(tmp_path: Path) -> None:
    """There is no empty warehouse that looks like one without traffic."""
    with pytest.raises(NoWarehouseError, match="nightcheck ingest"), Warehouse(tmp_path / "w.duckdb").read():
        pass


def test_a_block_that_raises_leaves_nothing(warehouse: Warehouse) -> None:
    """A transaction is all or nothing."""
    with pytest.raises(duckdb.Error), warehouse.write() as connection:  # noqa: PT012 - the first statement must go in
        connection.execute(sql.load("ops/set.sql"), {"name": "a", "value": "b"})
        connection.execute("select no_such_column")

    with warehouse.read() as connection:
        assert ("a", "b") not in connection.execute(sql.load("ops/settings.sql")).fetchall()


@pytest.mark.parametrize(
    "statement",
    [
        "select * from read_text('/etc/hostname')",
        "copy (select 1) to '/tmp/out.csv'",
        "attach '/tmp/other.duckdb'",
        "install httpfs",
        "set enable_external_access = true",
        "set TimeZone = 'Asia/Tokyo'",
    ],
)
def test_no_statement_reaches_outside(warehouse: Warehouse, statement: str) -> None:
    """Text that broke out of a query could still not read a file, write one, or load code."""
    with warehouse.read() as connection, pytest.raises(duckdb.Error):
        connection.execute(statement)


def test_the_time_zone_is_fixed_with_the_warehouse(warehouse: Warehouse) -> None:
    """Days that were cut in one zone are not mixed with days of another."""
    with (
        pytest.raises(WarehouseTimeZoneError, match="NIGHTCHECK_TIMEZONE=UTC"),
        Warehouse(warehouse.path, time_zone="Europe/Rome").read(),
    ):
        pass


def test_one_who_holds_it_learns_that_others_wait(warehouse: Warehouse) -> None:
    """The holder sees a waiter, and the waiter gets in once the holder lets go."""
    waiter = multiprocessing.get_context("spawn").Process(target=_write_once, args=(warehouse.path,))
    with warehouse.hold() as held:
        assert not held.wanted()
        waiter.start()
        deadline = time.monotonic() + 60
        while not held.wanted() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert held.wanted()
    waiter.join(60)

    assert waiter.exitcode == 0


def test_patience_ends_with_a_name_and_a_reason(warehouse: Warehouse) -> None:
    """Whoever will not wait is told that someone holds the file."""
    said: list[str] = []
    impatient = Warehouse(warehouse.path, wait_seconds=0.05, on_wait=said.append)

    with warehouse.hold(), pytest.raises(BusyWarehouseError, match="another process has held it"), impatient.read():
        pass


def test_a_rewrite_takes_the_place_of_the_file(warehouse: Warehouse) -> None:
    """The new file is what is read afterwards; a rewrite that fails leaves the old one."""
    with warehouse.replace() as (connection, new):
        connection.execute(f"attach '{new}' as fresh")
        connection.execute("copy from database warehouse to fresh")
        connection.execute("create table fresh.ops.mark as select 1 as x")
        connection.execute("detach fresh")
    with pytest.raises(RuntimeError), warehouse.replace():
        raise RuntimeError

    with warehouse.read() as connection:
        assert connection.execute("from ops.mark").fetchall() == [(1,)]


def _write_once(path: Path) -> None:
    with Warehouse(path).write() as connection:
        connection.execute(sql.load("ops/set.sql"), {"name": "waited", "value": "yes"})


def _write_on(path: Path, seconds: float, name: str, done: "multiprocessing.Queue[int]") -> None:
    warehouse = Warehouse(path)
    until = time.monotonic() + seconds
    count = 0
    while time.monotonic() < until:
        count += 1
        with warehouse.write() as connection:
            connection.execute(sql.load("ops/set.sql"), {"name": name, "value": str(count)})
    done.put(count)


def _read_on(path: Path, seconds: float, done: "multiprocessing.Queue[int]") -> None:
    warehouse = Warehouse(path)
    until = time.monotonic() + seconds
    count = 0
    while time.monotonic() < until:
        with warehouse.read() as connection:
            connection.execute(sql.load("ops/settings.sql")).fetchall()
        count += 1
    done.put(count)


@pytest.mark.integration
def test_two_writers_and_a_reader_for_a_minute(warehouse: Warehouse) -> None:
    """Nobody fails, nobody starves, and every committed write is there."""
    context = multiprocessing.get_context("spawn")
    done: multiprocessing.Queue[int] = context.Queue()
    processes = [
        context.Process(target=_write_on, args=(warehouse.path, 60, "first", done)),
        context.Process(target=_write_on, args=(warehouse.path, 60, "second", done)),
        context.Process(target=_read_on, args=(warehouse.path, 60, done)),
    ]
    for process in processes:
        process.start()
    counts = [done.get(timeout=200) for _ in processes]
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert min(counts) > 10
    with warehouse.read() as connection:
        stored = dict(connection.execute(sql.load("ops/settings.sql")).fetchall())
    assert int(stored["first"]) > 10
    assert int(stored["second"]) > 10


@pytest.mark.integration
def test_a_program_that_does_not_queue_is_named_and_the_log_is_not_blamed(warehouse: Warehouse) -> None:
    """The file is whole: to move its log aside would lose what is in it."""
    holding = f"import duckdb; held = duckdb.connect({str(warehouse.path)!r}); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()

        with pytest.raises(OpenElsewhereError, match=f"process {other.pid} has it open") as refused, warehouse.write():
            pass

        other.communicate("\n")
    assert ".wal" not in str(refused.value)
    with warehouse.write():
        pass
