"""`nightcheck night` and `publish`."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress, TaskID

from pipelines.cli.context import DAY, MODE, console, days_between, progress, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.errors import UsageError
from pipelines.io.clock import now
from pipelines.io.warehouse import Warehouse
from pipelines.settings import Settings

if TYPE_CHECKING:
    from pipelines.judging.anchors.run import AnchorNight
    from pipelines.judging.verdict import Judge
    from pipelines.night.run import Night, Plan


@click.command("night")
@click.option("--day", type=DAY, help="One day, as YYYY-MM-DD.")
@click.option("--from", "first", type=DAY, help="The first day of a range.")
@click.option("--to", "last", type=DAY, help="The last day of a range.")
@click.option("--judge", help="lexical, openai or labels:FILE; default NIGHTCHECK_JUDGE.")
@MODE
@click.option("--sample", "cap", help="Retrievals per tenant and night, or all; default NIGHTCHECK_SAMPLE_CAP.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON lines, one a day.")
def night(
    day: date | None,
    first: date | None,
    last: date | None,
    judge: str | None,
    cap: str | None,
    *,
    mode: str | None,
    as_json: bool,
) -> None:
    """Run a night: sample, judge, measure, publish, alert.

    Or the nights of a range. Every night can be run again: the same input gives the same marts, and known verdicts are
    not asked for again.

    \b
    nightcheck night --day 2026-11-29
    nightcheck night --from 2026-11-01 --to 2026-11-29 --judge openai --mode batch
    nightcheck night --day 2026-11-29 --judge labels:votes.jsonl --sample all
    """
    run_days(days_between(day, first, last), settings(), judge=judge, mode=mode, cap=cap, as_json=as_json)


def run_days(
    days: Sequence[date],
    chosen: Settings,
    *,
    judge: str | None = None,
    mode: str | None = None,
    cap: str | None = None,
    as_json: bool = False,
) -> None:
    """Run the nights of these days, then publish; say what each did."""
    from pipelines.alerts.run import find
    from pipelines.ingest.conflicts.run import settle
    from pipelines.io.warehouse import NoWarehouseError
    from pipelines.marts.publishing.run import publish
    from pipelines.night.run import plan_of

    if days[-1] > now().date() + timedelta(days=1):  # it is tomorrow already somewhere, and nowhere the day after
        raise UsageError("the days", f"{days[-1]} is still to come", "Name days that have been")
    opened = warehouse(chosen)
    if not opened.path.exists():
        raise NoWarehouseError(opened.path)  # a mistyped home must not look like a quiet night
    settle(opened)
    done = []
    for each in _nights(opened, days, _instrument(chosen, judge or chosen.judge, mode), plan_of(chosen, cap)):
        done.append(each)
        if as_json:
            click.echo(json.dumps(asdict(each), default=str))
    publish(opened, chosen.published)
    standing = find(opened)
    if not as_json:
        _tell(done, chosen)
        for day, night in zip(days, done, strict=True):
            _say_what_is_missing(day, night.judged.statuses)
        _say_what_is_empty(opened, [day for day, night in zip(days, done, strict=True) if not night.sample.frame_size])
        _tell_of_alarms(opened, days[-1], standing, done[-1].anchors)


def _instrument(chosen: Settings, name: str, mode: str | None) -> "Judge":
    """Return the judge of that name, in the mode that was asked for on the command line, or in that of its settings."""
    from pipelines.judging.choice.run import choose_judge

    if mode is not None and name != "openai":
        raise UsageError("--mode", f"judge {name!r} has no batches", "Leave it out, or add --judge openai")
    return choose_judge(
        name,
        home=chosen.home,
        environment=os.environ if mode is None else os.environ | {"NIGHTCHECK_JUDGE_MODE": mode},
        warn=lambda text: console.print(text, markup=False),
    )


def _nights(opened: Warehouse, days: Sequence[date], judge: "Judge", plan: "Plan") -> "Iterator[Night]":
    """Run the nights one after the other, and show how far they are."""
    from pipelines.night.run import run_night

    with progress() as shown:
        over_days = shown.add_task("nights", total=len(days))
        for day in days:
            verdicts = shown.add_task(f"verdicts {day}", total=None)
            yield run_night(opened, day, judge, plan, now=now, on_verdict=partial(_show, shown, verdicts))
            shown.remove_task(verdicts)
            shown.advance(over_days)


def _tell_of_alarms(
    opened: Warehouse, newest: date, standing: Sequence[Mapping[str, Any]], anchors: "AnchorNight"
) -> None:
    from pipelines.alerts.message import headline
    from pipelines.marts.reading.run import instrument_of

    watched = instrument_of(opened, newest)
    if watched is not None:
        click.echo(f"frozen passages: {watched}")
    for name, found in anchors.in_words.items():
        click.echo(f"{name}: {found}")
    for alert in standing:
        click.echo(f"ALERT {headline(alert)}")


def _show(shown: Progress, task: TaskID, answered: int, of: int) -> None:
    shown.update(task, completed=answered, total=of)


def _tell(done: "Sequence[Night]", chosen: Settings) -> None:
    from pipelines.judging.verdict import Status

    asked = sum(each.judged.asked for each in done)
    known = sum(each.judged.known for each in done)
    drawn = sum(each.sample.sample_size for each in done)
    frame = sum(each.sample.frame_size for each in done)
    click.echo(
        f"{counted(len(done), 'night')}: {drawn:,} of {counted(frame, 'retrieval')} drawn, "
        f"{asked:,} judged now, {known:,} known before"
    )
    statuses = sum((Counter(each.judged.statuses) for each in done), Counter[str]())
    without = {status: count for status, count in sorted(statuses.items()) if status != "judged"}
    if without:
        click.echo(
            "retrievals without a verdict: " + ", ".join(f"{count:,} {status}" for status, count in without.items())
        )
    if any(not Status(status).final for status in without):
        click.echo("what may still get its verdict is asked for again when the night is run again")
    console.print(f"Published to {chosen.published}. Read it: nightcheck show relevance_daily", soft_wrap=True)


def _say_what_is_missing(day: date, statuses: Mapping[str, int]) -> None:
    """Say that a night is incomplete, and that a second run asks for what is missing alone."""
    from pipelines.judging.verdict import Status

    missing = {status: n for status, n in statuses.items() if not Status(status).final}
    if missing:
        why = ", ".join(f"{n:,} {status.replace('_', ' ')}" for status, n in sorted(missing.items()))
        drawn = counted(sum(missing.values()), "drawn retrieval has", "drawn retrievals have")
        click.echo(
            f"INCOMPLETE {day}: {drawn} no verdict yet ({why}), "
            f"so there are bounds and no rate. Run it again: nightcheck night --day {day} asks for these alone"
        )


def _say_what_is_empty(opened: Warehouse, days: Sequence[date]) -> None:
    """Say of nights that found nothing where there is something: a slip in the date must not look like a good night."""
    from schemas import sql

    if not days:
        return
    with opened.read() as connection:
        ((_, _, first, last),) = connection.execute(sql.load("ops/days.sql")).fetchall()
    which = f"{days[0]}" if len(days) == 1 else f"{counted(len(days), 'day')} from {days[0]} to {days[-1]}"
    there_are = "there are no events yet" if first is None else f"there are events from {first} to {last}"
    click.echo(f"EMPTY {which}: no search with results; {there_are}")


@click.command("publish")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of every mart as JSON.")
def publish_command(*, as_json: bool) -> None:
    """Write all marts as Parquet and as a DuckDB file.

    The file is for reading only, and all is moved into place once it is on the disk.

    \b
    nightcheck publish
    """
    from pipelines.marts.publishing.run import publish

    chosen = settings()
    rows = publish(warehouse(chosen), chosen.published)
    if as_json:
        click.echo(json.dumps(rows))
        return
    for mart, count in rows.items():
        click.echo(f"{mart}: {counted(count, 'row')}")
    console.print(f"In {chosen.published}")
