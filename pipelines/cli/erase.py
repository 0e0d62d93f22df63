"""`nightcheck erase`: remove everything of a visitor, and prove it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipelines.cli.context import settings, warehouse

if TYPE_CHECKING:
    from pipelines.privacy.run import Erasure


@click.command("erase")
@click.option("--tenant", required=True, help="The exact tenant.")
@click.option("--visitor", required=True, help="The visitor's id, as applications send it.")
@click.option("--datasets", "more", multiple=True, type=click.Path(path_type=Path), help="Sets that lie elsewhere.")
@click.option("--spool", type=click.Path(path_type=Path), help="A spool that lies elsewhere.")
@click.option("--search", multiple=True, type=click.Path(path_type=Path, exists=True), help="Search this folder too.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def erase(
    tenant: str, visitor: str, *, more: tuple[Path, ...], spool: Path | None, search: tuple[Path, ...], as_json: bool
) -> None:
    """Erase a visitor from log, projections, verdicts, marts, spool, harvested sets and what is published.

    The database is copied into a new file that takes its place. Then every table and every file below NIGHTCHECK_HOME
    is searched; exit code 1 if anything is left. What is delivered of the visitor again is counted, not stored. The
    days that changed run again with the next night. Files and topics that you ingested from, and backups, are yours
    to clear.

    \b
    nightcheck erase --tenant help.example.com --visitor v-8f31c0
    nightcheck erase --tenant help.example.com --visitor v-8f31c0 --search $DAGSTER_HOME
    """
    import secrets

    from pipelines.errors import UsageError
    from pipelines.io.clock import now
    from pipelines.io.datasets import read_or_make_key
    from pipelines.io.judge_files import AnswerJournal
    from pipelines.marts.run import publish
    from pipelines.privacy.run import Place
    from pipelines.privacy.run import erase as erase_visitor
    from pipelines.tenants.name import InvalidTenantName, normalise

    name = normalise(tenant)
    if isinstance(name, InvalidTenantName):
        raise UsageError(tenant, name.reason, "Use the exact host name")
    chosen = settings()
    opened = warehouse(chosen)
    # what a killed night was answered may quote anyone; without it that night only asks again
    AnswerJournal(chosen.home).clear()
    report = erase_visitor(
        opened,
        name,
        visitor,
        at=now(),
        salt=secrets.token_hex(16),
        key=read_or_make_key(chosen.privacy_key),
        place=Place(
            searched=(chosen.home, *map(Path.absolute, search)),
            published=chosen.published,
            spool=spool or chosen.spool,
            datasets=(chosen.datasets, *more),
        ),
        publish=lambda: publish(opened, chosen.published) if chosen.published.exists() else None,
    )
    if as_json:
        click.echo(json.dumps(asdict(report), default=str))
    else:
        _print(report, chosen.home)
    if report.leftovers:
        raise click.exceptions.Exit(1)


def _print(report: "Erasure", home: Path) -> None:
    for table, count in report.rows.items():
        click.echo(f"{count:8,} rows of {table}")
    click.echo(f"{report.verdicts:8,} verdicts, {report.quarantined:,} quarantined records")
    click.echo(f"{report.spool_lines:8,} lines of the spool")
    for folder, count in report.items.items():
        click.echo(f"{count:8,} items of {folder}")
    click.echo(f"{len(report.days):8,} days are open again: nightcheck backfill, or the next night")
    click.echo(f"searched every table, and every file below {home}, for {report.probes} strings of the visitor:")
    for each in report.leftovers:
        click.echo(f"  left in {each.place}: {each.what}")
    if not report.leftovers:
        click.echo("  nothing is left")
