"""`nightcheck demo`: the whole job on generated traffic."""

import dataclasses
import shutil
from datetime import date, timedelta
from pathlib import Path

import click

from pipelines.cli.context import DAY, console, settings

_DAYS = 14
_SEED = 7


@click.command("demo")
@click.option("--last-day", type=DAY, help="The last of the fourteen days; yesterday where nothing is said.")
@click.option("--seed", type=int, default=_SEED, show_default=True, help="Another seed is other traffic.")
def demo(last_day: date | None, seed: int) -> None:
    """Run the whole job offline on made-up traffic.

    Fourteen days of four tenants' traffic, their nights, the mart, the alert. It lives in a folder of its own,
    NIGHTCHECK_HOME/demo, and is made anew each time.

    \b
    nightcheck demo
    NIGHTCHECK_HOME=~/.nightcheck/demo nightcheck show worst_retrievals
    """
    from pipelines.cli.ingest import ingest_all, report
    from pipelines.cli.night import run_days
    from pipelines.io.clock import now

    outer = settings()
    chosen = dataclasses.replace(outer, home=outer.home / "demo", judge="lexical", webhook_url=None)
    newest = last_day or now().date() - timedelta(days=1)
    days = [newest - timedelta(days=back) for back in reversed(range(_DAYS))]
    shutil.rmtree(chosen.home, ignore_errors=True)
    chosen.home.mkdir(parents=True)
    traffic = chosen.home / "traffic.jsonl"
    console.print(f"Writing fourteen days of traffic, {days[0]} to {newest}")
    _write(traffic, seed, days[0])
    report(ingest_all([str(traffic)], chosen), as_json=False)
    console.print("Running fourteen nights with the offline judge")
    run_days(days, chosen)
    _show(chosen.home, newest)


def _write(path: Path, seed: int, first_day: date) -> None:
    from pipelines.demo.generator import generate

    with path.open("wb") as file:
        for line in generate(seed, first_day, _DAYS):
            file.write(line.rstrip(b"\n") + b"\n")


def _show(home: Path, day: date) -> None:
    from pipelines.cli.context import warehouse
    from pipelines.cli.show import print_main
    from pipelines.marts.main_rows import main_rows
    from pipelines.marts.run import read

    opened = warehouse(dataclasses.replace(settings(), home=home))
    rows = main_rows("relevance_daily", read(opened, "relevance_daily", day, day))
    print_main(opened, "relevance_daily", rows, f"relevance_daily, {day}", one_night=True)
    click.echo("See it in the Dagster UI:  make dev HOME_OF=demo   then http://127.0.0.1:3000")
    click.echo(f"Read on:  NIGHTCHECK_HOME={home} nightcheck show worst_retrievals")
