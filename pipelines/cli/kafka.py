"""`nightcheck ingest kafka` and `nightcheck replay kafka`."""

import os
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import click

from pipelines.cli.context import DAY, days_between, settings
from pipelines.cli.following import follow_source
from pipelines.errors import UsageError
from pipelines.ingest.run import Counts
from pipelines.settings import Settings


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
    return follow_source(source, chosen, lag=source.lag)


@click.group("replay")
def replay() -> None:
    """Read a past stretch of a source again.

    What is there already is a duplicate, what was missing is added.

    \b
    nightcheck replay kafka --topic events --day 2026-11-20
    """


@replay.command("kafka")
@click.option("--topic", required=True, help="The topic to read.")
@click.option("--day", type=DAY, help="The day, in the time zone of the warehouse.")
@click.option("--from", "first", type=DAY, help="The first day.")
@click.option("--to", "last", type=DAY, help="The last day.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def replay_kafka(topic: str, day: date | None, first: date | None, last: date | None, *, as_json: bool) -> None:
    """Read the records of a topic's day, or days, again.

    They are those that the topic got then. Its positions do not move. A day that gets events it lacked is open again:
    `nightcheck status` names it.

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
        start=datetime.combine(days[0], time(), zone),
        end=datetime.combine(days[-1] + timedelta(days=1), time(), zone),
    )
    source = KafkaReplay(topic, KafkaSettings.from_environment(os.environ), span)
    report(follow_source(source, chosen), as_json=as_json)
