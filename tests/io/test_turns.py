"""Waiting for one's turn, and what is said meanwhile."""

import fcntl
from pathlib import Path

import pytest

from pipelines.io.turns import locked


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """Return where a lock file is to be."""
    return tmp_path / "lock"


def test_who_gives_up_has_said_what_it_waited_for(lock: Path) -> None:
    """However short its patience is against the time after which it would have spoken."""
    said: list[str] = []
    with lock.open("a") as holder, lock.open("a") as other:
        fcntl.flock(holder, fcntl.LOCK_EX)

        got = locked(other, fcntl.LOCK_EX, "the holder", seconds=0.0, on_wait=said.append)

    assert not got
    assert said == ["waiting for the holder"]


def test_who_waits_says_so_once_and_gets_its_turn(lock: Path) -> None:
    """The holder lets go when it hears of it."""
    said: list[str] = []
    with lock.open("a") as holder, lock.open("a") as other:
        fcntl.flock(holder, fcntl.LOCK_EX)

        def let_go(words: str) -> None:
            said.append(words)
            fcntl.flock(holder, fcntl.LOCK_UN)

        got = locked(other, fcntl.LOCK_EX, "the holder", seconds=600.0, on_wait=let_go, quiet_seconds=0.0)

    assert got
    assert said == ["waiting for the holder"]
