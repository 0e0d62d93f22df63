"""What commands share: the settings, the warehouse, how days and judges are named, and progress."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from pipelines.errors import UsageError
from pipelines.io.warehouse import Warehouse
from pipelines.settings import Settings

#: for people; answers go to standard output, so that programs can read them
console = Console(stderr=True)


def settings() -> Settings:
    """Return the settings of this process's environment; raises `UsageError` for a home that is no folder."""
    chosen = Settings.from_environment(os.environ)
    if chosen.home.exists() and not chosen.home.is_dir():
        raise UsageError("NIGHTCHECK_HOME", f"{chosen.home} is a file, and no folder", "Name the folder of its files")
    return chosen


def warehouse(chosen: Settings) -> Warehouse:
    """Return the warehouse; who has to wait for it is told so."""
    return Warehouse(
        chosen.warehouse,
        time_zone=chosen.time_zone,
        memory_limit=chosen.memory_limit,
        threads=chosen.threads,
        on_wait=lambda message: console.print(f"[dim]{message}[/dim]"),
    )


#: years that events may be of
_FIRST_YEAR, _LAST_YEAR = 2000, 2200


class Day(click.ParamType[date]):
    """A date as YYYY-MM-DD."""

    name = "day"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read the date, or fail with the form that is wanted."""
        if isinstance(value, date):
            return value
        try:
            day = date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no day; write it like 2026-11-29", param, ctx)
        if not _FIRST_YEAR <= day.year < _LAST_YEAR:  # no event is from there: see pipelines.ingest.decode
            self.fail(f"{value!r} is a slip: years are from {_FIRST_YEAR} to {_LAST_YEAR - 1}", param, ctx)
        return day


DAY = Day()

#: when a language model's answers come, as in `pipelines.judging.settings.Mode`
MODES = ("live", "batch", "auto")
MODE = click.option(
    "--mode",
    type=click.Choice(MODES),
    help="When openai answers: live, in a batch at its lower price, or in one from 100 calls on (auto); "
    "default NIGHTCHECK_JUDGE_MODE.",
)


def days_between(day: date | None, first: date | None, last: date | None) -> list[date]:
    """Return the days that `--day` or `--from` and `--to` name; raises `UsageError` where they name none."""
    if day is not None and first is None and last is None:
        return [day]
    if day is not None or first is None or last is None:
        raise UsageError("the days", "name one, or a range", "Use --day D, or --from A --to B")
    if last < first:
        raise UsageError("the range", f"{last} is before {first}", "Turn them round")
    return [first + timedelta(days=each) for each in range((last - first).days + 1)]


@contextmanager
def progress() -> Iterator[Progress]:
    """Show progress to people on standard error; a program that captures it gets none."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as shown:
        yield shown


def existing(path: str) -> Path:
    """Return a path that exists, or raise `UsageError`."""
    found = Path(path).expanduser()
    if not found.exists():
        raise UsageError(path, "there is no such file or folder", "Check the path")
    return found
