"""`nightcheck trend`: the rate night by night, as a plot."""

import json
from dataclasses import asdict
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipelines.cli.context import DAY, console, days_between, settings, warehouse
from pipelines.cli.counted import counted

if TYPE_CHECKING:
    from pipelines.marts.trend import Trend

_NIGHTS = 28
_MEASURES = ("irrelevant_need", "irrelevant_query", "fault_ok", "fault_query", "fault_retriever", "fault_lucky")


@click.command("trend")
@click.option("--tenant", default="*", show_default=True, help="One tenant; * is all of them together.")
@click.option("--from", "first", type=DAY, help="The first day; four weeks up to the newest night where none is named.")
@click.option("--to", "last", type=DAY, help="The last day.")
@click.option("--measure", type=click.Choice(_MEASURES), default=_MEASURES[0], show_default=True, help="Which rate.")
@click.option("--environment", help="Whose traffic; the first of NIGHTCHECK_ENVIRONMENTS where nothing is said.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Write the plot as a picture instead.")
@click.option("--json", "as_json", is_flag=True, help="Print the nights and the changes of definition as JSON.")
def trend(
    tenant: str,
    first: date | None,
    last: date | None,
    measure: str,
    *,
    environment: str | None,
    png: Path | None,
    as_json: bool,
) -> None:
    """Show how a rate went, night by night.

    It comes with its intervals, the nights with an alert and changes of definition.

    \b
    nightcheck trend
    nightcheck trend --tenant help.example.com --png trend.png
    nightcheck trend --from 2026-09-01 --to 2026-11-29 --measure fault_query --json
    """
    from pipelines.marts.reading.run import instrument_of
    from pipelines.marts.reading.run import trend as read_trend
    from pipelines.marts.run import newest_day

    chosen = settings()
    opened = warehouse(chosen)
    if first or last:
        days = days_between(None, first, last)
    else:
        newest = newest_day(opened)
        days = days_between(None, newest - timedelta(days=_NIGHTS - 1), newest)
    whose = environment or chosen.environments[0]
    found = read_trend(opened, tenant, days[0], days[-1], environment=whose, measure=measure)
    newest_night = max((night.day for night in found.nights if night.rate is not None), default=days[-1])
    instrument = instrument_of(opened, newest_night)
    if as_json:
        known = {"difference": found.difference, "instrument": asdict(instrument) if instrument else None}
        click.echo(json.dumps(asdict(found) | known, default=str))
    elif png is not None:
        from pipelines.marts.picture import picture

        png.write_bytes(picture(found))
        console.print(f"Written to {png}")
    else:
        _print(found)
        if instrument is not None:
            click.echo(f"frozen passages: {instrument}")


def _print(found: "Trend") -> None:
    from rich.console import Console

    from pipelines.marts.figures import share, share_with_interval
    from pipelines.marts.instrument import difference_in_words
    from pipelines.marts.terminal import terminal_plot

    out = Console()
    click.echo(f"{found.title}, per night")
    click.echo(found.basis)
    click.echo(terminal_plot(found, width=min(out.width, 120) if out.is_terminal else 100, in_colour=out.is_terminal))
    click.echo(f"● share of judged passages   │ its 95 % interval{'   ! an alert stood' if found.alarming else ''}")
    newest = next((night for night in reversed(found.nights) if night.rate is not None), None)
    if newest is not None:
        rate = share_with_interval(newest.rate, newest.low, newest.high)
        click.echo(
            f"{newest.day}: {rate} of {counted(newest.passages, 'judged passage')}, coverage {share(newest.coverage)}"
        )
    if found.difference is not None:
        click.echo(difference_in_words(found.difference, found.floor))
    for change in found.changes:
        compares = "figures on the two sides do not compare" if change.of_rates else "this rate is not made by it"
        click.echo(f"definition changed on {change}: {compares}")
    for rise in found.rises:
        if rise.last_day >= found.nights[0].day and rise.since <= found.nights[-1].day:
            click.echo(f"! {rise.headline}")
