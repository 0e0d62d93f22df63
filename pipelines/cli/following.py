"""Follow a source from a command: until it ends or the process is told to stop, with a line of status now and then."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from pipelines.cli.context import console, warehouse
from pipelines.cli.counted import counted
from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.settings import Settings
from schemas.sources import Source

_STATUS_SECONDS = 5.0


def follow_source(source: Source, chosen: Settings, *, lag: Callable[[], int] | None = None) -> Counts:
    """Ingest a source to its end, or until SIGTERM or SIGINT, and say now and then how far it is; close it.

    `lag` tells how many records wait. Returns what became of the records.
    """
    with told_to_stop() as stop:
        try:
            return ingest(source, warehouse(chosen), now=now, stop=stop, on_batch=_Status(lag))
        finally:
            source.close()


class _Status:
    """A line now and then: what was read, how fast, what waits."""

    def __init__(self, lag: Callable[[], int] | None) -> None:
        self._lag = lag
        self._since = time.monotonic()
        self._records = 0

    def __call__(self, counts: Counts) -> None:
        self._records += counts.consumed
        passed = time.monotonic() - self._since
        if passed >= _STATUS_SECONDS:
            waiting = f", {counted(self._lag(), 'waits', 'wait')}" if self._lag is not None else ""
            console.print(f"[dim]{now():%H:%M:%S} {self._records / passed:,.0f} records a second{waiting}[/dim]")
            self._since, self._records = time.monotonic(), 0


@contextmanager
def told_to_stop() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether SIGTERM or SIGINT came; neither ends the process meanwhile."""
    told = False

    def tell(_number: int, _frame: FrameType | None) -> None:
        nonlocal told
        told = True

    before = {number: signal.signal(number, tell) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
