"""`nightcheck ingest kafka` and `nightcheck replay kafka`."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from types import FrameType
from zoneinfo import ZoneInfo

import click

from pipelines.cli.context import DAY, console, days_between, settings, warehouse
from pipelines.errors import UsageError
from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.settings import Settings
from schemas.sources import Source

_STATUS_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """How a topic is followed."""

    topic: str | None
    until_end: bool
    start: str
    after_halt: str | None


def follow(following: Following, chosen: Settings) -> Counts:
    """Read a topic to its end or to SIGTERM or SIGINT, and say how far it is; return what became of the records."""
    from pipelines.io.kafka import KafkaSource
    from pipelines.io.kafka_connection import KafkaSettings

    if following.topic is None:
        raise UsageError("kafka", "no topic is named", "nightcheck ingest kafka --topic T")
    source = KafkaSource(
        following.topic,
        KafkaSettings.from_environment(os.environ),
        until_end=following.until_end,
        start=following.start,
        after_halt=following.after_halt,
        group=os.environ.get("NIGHTCHECK_KAFKA_GROUP", "nightcheck"),
    )
    return _read(source, chosen, lag=source.lag)


@click.group("replay")
def replay() -> None:
    """Read a past stretch of a source again; what is there already is a duplicate, what was missing is added."""


@replay.command("kafka")
@click.option("--topic", required=True, help="The topic to read.")
@click.option("--day", type=DAY, help="The day, in the time zone of the warehouse.")
@click.option("--from", "first", type=DAY, help="The first day.")
@click.option("--to", "last", type=DAY, help="The last day.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def replay_kafka(topic: str, day: date | None, first: date | None, last: date | None, *, as_json: bool) -> None:
    """Read the records that a topic got on a day, or on the days of a range, again.

    The positions of the topic do not move. A day that gets events it lacked is dirty, and its night runs again.

    \b
    nightcheck replay kafka --topic events --day 2026-11-20
    nightcheck replay kafka --topic events --from 2026-11-18 --to 2026-11-20
    """
    from pipelines.cli.ingest import report
    from pipelines.io.kafka import KafkaReplay, Span
    from pipelines.io.kafka_connection import KafkaSettings

    chosen = settings()
    days = days_between(day, first, last)
    zone = ZoneInfo(chosen.time_zone)
    span = Span(
        start=datetime.combine(days[0], time_of_day(), zone),
        end=datetime.combine(days[-1] + timedelta(days=1), time_of_day(), zone),
    )
    source = KafkaReplay(topic, KafkaSettings.from_environment(os.environ), span)
    report(_read(source, chosen, lag=None), as_json=as_json)


def _read(source: Source, chosen: Settings, *, lag: Callable[[], int] | None) -> Counts:
    with _told_to_stop() as stop:
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
            waiting = f", {self._lag():,} wait" if self._lag is not None else ""
            console.print(f"[dim]{now():%H:%M:%S} {self._records / passed:,.0f} records a second{waiting}[/dim]")
            self._since, self._records = time.monotonic(), 0


@contextmanager
def _told_to_stop() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether SIGTERM or SIGINT came; the batch in hand is finished first."""
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
