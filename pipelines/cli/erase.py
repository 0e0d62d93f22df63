"""`nightcheck erase`: remove everything of a visitor, and prove it."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipelines.cli.context import settings, warehouse
from pipelines.cli.counted import counted
from pipelines.cli.open_days import commands, named
from pipelines.io.warehouse import Warehouse

if TYPE_CHECKING:
    from pipelines.privacy.run import Erasure, Place
    from pipelines.settings import Settings


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
    """Erase a visitor everywhere, and prove it.

    Log, projections, verdicts, marts, spool, harvested sets and published files lose the visitor. The warehouse is
    copied into a new file that takes its place. Pages that Dagster keeps below DAGSTER_HOME lose the visitor's
    rows. Then every table, and every file below NIGHTCHECK_HOME and DAGSTER_HOME, is searched; exit code 1 if
    anything is left. What is delivered of the visitor again is counted, not stored. The days that changed are open
    again: Dagster's sensor runs them, or you do. Files and topics that you ingested from, and backups, are yours to
    clear.

    \b
    nightcheck erase --tenant help.example.com --visitor v-8f31c0
    nightcheck erase --tenant help.example.com --visitor v-8f31c0 --search /var/backups/nightcheck
    """
    import secrets

    from pipelines.io.clock import now
    from pipelines.io.datasets import read_or_make_key
    from pipelines.marts.publishing.run import publish
    from pipelines.privacy.run import erase as erase_visitor
    from pipelines.tenants.name import exact

    chosen = settings()
    opened = warehouse(chosen)
    report = erase_visitor(
        opened,
        exact(tenant),
        visitor,
        at=now(),
        salt=secrets.token_hex(16),
        key=read_or_make_key(chosen.privacy_key),
        place=_place(chosen, spool, more, search),
        publish=lambda: publish(opened, chosen.published) if chosen.published.exists() else None,
    )
    if as_json:
        click.echo(json.dumps(asdict(report), default=str))
    else:
        _print(report, chosen.home, opened, exact(tenant))
    if report.leftovers:
        raise click.exceptions.Exit(1)


def _place(chosen: "Settings", spool: Path | None, more: tuple[Path, ...], search: tuple[Path, ...]) -> "Place":
    from pipelines.privacy.run import Place

    dagster = Path(os.environ.get("DAGSTER_HOME") or chosen.home).absolute()
    run_logs = tuple(dict.fromkeys((chosen.home, dagster))) if dagster.is_dir() else (chosen.home,)
    elsewhere = [each for each in (*run_logs, *map(Path.absolute, search)) if not each.is_relative_to(chosen.home)]
    return Place(
        searched=(chosen.home, *dict.fromkeys(elsewhere)),
        published=chosen.published,
        spool=spool or chosen.spool,
        datasets=(chosen.datasets, *more),
        caches=(chosen.embeddings,),
        run_logs=run_logs,
        answers=chosen.home,
    )


def _print(report: "Erasure", home: Path, opened: Warehouse, tenant: str) -> None:
    for table, count in report.rows.items():
        click.echo(f"{counted(count, 'row', width=8)} of {table}")
    click.echo(f"{counted(report.verdicts, 'verdict', width=8)}, {counted(report.quarantined, 'quarantined record')}")
    click.echo(f"{counted(report.spool_lines, 'line', width=8)} of the spool")
    for folder, count in report.items.items():
        click.echo(f"{counted(count, 'item', width=8)} of {folder}")
    click.echo(f"{counted(report.pages, 'page', width=8)} that Dagster keeps, {counted(report.caches, 'cache')}")
    if report.days:
        click.echo(f"open again, until Dagster's sensor runs them or you do: {named(report.days)}")
    for command in commands(report.days):
        click.echo(f"  {command}")
    if not report.found:
        click.echo("nothing is known of this visitor here: never stored, erased before, or the id is not exact")
        _say_whose_events_are_here(opened, tenant)
        click.echo("  the tombstone is kept: what comes under this id from now on is not stored")
    click.echo(
        f"searched every table, and every file below {home}, for {counted(report.probes, 'string')} of the visitor:"
    )
    for each in report.leftovers:
        click.echo(f"  left in {each.place}: {each.what}")
    if not report.leftovers:
        click.echo("  nothing is left")


def _say_whose_events_are_here(opened: Warehouse, tenant: str) -> None:
    from pipelines.nearest import meant
    from schemas import sql

    with opened.read() as connection:
        tenants = [each for (each,) in connection.execute(sql.load("privacy/tenants.sql")).fetchall()]
    if tenant not in tenants:
        click.echo(f"  no event of tenant {tenant} is here. {meant(tenant, tenants)}There are: {', '.join(tenants)}")
