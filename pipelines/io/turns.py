"""Waiting for one's turn: lock files that processes queue on, and say that they wait."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pipelines.errors import NightcheckError

#: how often one who waits looks again; small against a transaction
_LOOK_AGAIN_SECONDS = 0.02
#: how long one waits before saying so
_QUIET_SECONDS = 2.0


class UnderWayError(NightcheckError):
    """Another process has been at the same work for longer than the caller was ready to wait."""

    def __init__(self, work: str, seconds: float) -> None:
        super().__init__(
            work, f"another process has been at it for {seconds:.0f} seconds", "Leave it to that one, or end it first"
        )


def locked(
    file: IO[str],
    mode: int,
    waited_for: str,
    *,
    seconds: float,
    on_wait: Callable[[str], None],
    quiet_seconds: float = _QUIET_SECONDS,
) -> bool:
    """Lock an open file, for as long as it is open; return False after that many seconds without success.

    Whoever waits says so after `quiet_seconds`, and in any case before it gives up.
    """
    began = time.monotonic()
    said = False
    while True:
        try:
            fcntl.flock(file, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - began
            if waited > min(quiet_seconds, seconds) and not said:
                on_wait(f"waiting for {waited_for}")
                said = True
            if waited > seconds:
                return False
            time.sleep(_LOOK_AGAIN_SECONDS)
        else:
            return True


@contextmanager
def in_turn(work: str, lock: Path, *, seconds: float, on_wait: Callable[[str], None]) -> Iterator[None]:
    """Do a piece of work while no other process does it that shares the lock file; the file is there only meanwhile.

    A process that dies leaves the file and no lock. Raises `UnderWayError` after that many seconds of waiting.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with lock.open("a") as file:
            if not locked(file, fcntl.LOCK_EX, f"{work}, which another process does", seconds=seconds, on_wait=on_wait):
                raise UnderWayError(work, seconds)
            if not _is_at(lock, file):
                continue  # its last holder took it away meanwhile: it keeps nobody out
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
            return


def _is_at(path: Path, file: IO[str]) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
