"""Erasure on the SQLite files that Dagster writes to at the same time."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.io.run_logs import RunLogError, rewrite_events

MARK = "quokka7f3a"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Make a file with both tables, kept open by a process that wrote to it and may write again."""
    monkeypatch.setattr("pipelines.io.run_logs._WAIT_SECONDS", 0.0)
    monkeypatch.setattr("pipelines.io.run_logs._AT_ONCE", 3)
    with closing(sqlite3.connect(tmp_path / "index.db", isolation_level=None, timeout=0.0)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table event_logs (id integer primary key, event text not null)")
        connection.execute("create table asset_keys (id integer primary key, last_materialization text)")
        texts = [f"{MARK} {number}" if number % 2 else f"other {number}" for number in range(10)]
        connection.executemany("insert into event_logs (event) values (?)", [(each,) for each in texts])
        connection.execute("insert into asset_keys (last_materialization) values (?), (null)", (MARK,))
        yield connection


def blank(document: str) -> str | None:
    """Take the mark out of a document."""
    return document.replace(MARK, "*") if MARK in document else None


def events(log: sqlite3.Connection) -> list[str]:
    """Return the events in order."""
    return [event for (event,) in log.execute("select event from event_logs order by id")]


def bytes_in(folder: Path) -> bytes:
    """Return what rests in the files, the write-ahead log too."""
    return b"".join(each.read_bytes() for each in folder.iterdir())


def test_every_document_is_rewritten_and_its_old_bytes_are_gone(tmp_path: Path, log: sqlite3.Connection) -> None:
    """Of both tables, over several steps; what does not name the visitor stays."""
    rewritten = rewrite_events(tmp_path, blank)

    assert rewritten == 6
    assert events(log) == [f"* {number}" if number % 2 else f"other {number}" for number in range(10)]
    assert MARK.encode() not in bytes_in(tmp_path)
    assert rewrite_events(tmp_path, blank) == 0


def test_what_is_written_meanwhile_is_not_overwritten(tmp_path: Path, log: sqlite3.Connection) -> None:
    """Another process writes either before a row is read or after it was rewritten; never in between."""
    written: list[int] = []

    def rewrite(document: str) -> str | None:
        if document != MARK and not written:  # an event
            try:
                log.execute("update event_logs set event = event || ', newer'")
                written.append(len(events(log)))
            except sqlite3.OperationalError:
                pass
        return blank(document)

    rewrite_events(tmp_path, rewrite)

    assert all(each.endswith("newer") for each in events(log)) == bool(written)
    assert not any(MARK in each for each in events(log))


def _write(log: sqlite3.Connection) -> None:
    log.execute("begin immediate")


def _read(log: sqlite3.Connection) -> None:
    log.execute("begin")
    log.execute("select * from event_logs").fetchall()


@pytest.mark.parametrize("hold", [_write, _read], ids=["writes", "reads"])
def test_a_process_that_keeps_the_file_is_named_with_what_to_do(
    tmp_path: Path, log: sqlite3.Connection, hold: Callable[[sqlite3.Connection], None]
) -> None:
    """And once it let go, erasing again finishes, although nothing may be left to rewrite."""
    hold(log)

    with pytest.raises(RunLogError, match=r"index\.db: .*locked.*erase again"):
        rewrite_events(tmp_path, blank)
    log.execute("rollback")
    rewrite_events(tmp_path, blank)

    assert MARK.encode() not in bytes_in(tmp_path)
