"""`nightcheck report`: one night as a page to send to a colleague."""

from datetime import date
from pathlib import Path

import click

from pipelines.cli.context import DAY, console, settings, warehouse


@click.command("report")
@click.option("--day", type=DAY, help="Which night; the newest one where nothing is said.")
@click.option("--environment", help="Whose traffic; the first of NIGHTCHECK_ENVIRONMENTS where nothing is said.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Where to; report-DAY.html where nothing is said."
)
def report(day: date | None, environment: str | None, out: Path | None) -> None:
    """Write a night's report as one HTML file.

    It needs nothing else: rate, trend, tenants, worst retrievals, cost. It quotes what visitors typed and what was
    retrieved: send it to whoever may read that.

    \b
    nightcheck report
    nightcheck report --day 2026-11-29 --out report.html
    """
    from pipelines.marts.reading.run import report as read_report
    from pipelines.marts.report import page
    from pipelines.marts.run import newest_day
    from pipelines.marts.visible import visible

    chosen = settings()
    opened = warehouse(chosen)
    night = day or newest_day(opened)
    path = out or Path(f"report-{night}.html")
    text = page(read_report(opened, night, environment or chosen.environments[0]))
    path.write_text(visible(text), encoding="utf-8")
    console.print(f"Written to {path}")
