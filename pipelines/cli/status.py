"""`nightcheck status`: what is in the warehouse, and whether anything was lost."""

import json
import os
from typing import Any

import click

from pipelines.cli.context import console, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.errors import NightcheckError


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def status(*, as_json: bool) -> None:
    """Show what is here, which days are open, and what was lost.

    Open are days that are over and have events and no night, or events that came after their night. Where
    KAFKA_BOOTSTRAP_SERVERS is set, also how many records wait in each partition that was read. Ends with exit code 1
    where the conservation law does not hold.

    \b
    nightcheck status
    nightcheck status --json | jq .conservation
    """
    from pipelines.cli.open_days import commands, open_days
    from pipelines.ingest.conservation import violations
    from pipelines.io.clock import now
    from schemas import sql

    opened = warehouse(settings())
    with opened.read() as connection:
        facts: dict[str, Any] = {
            name: connection.sql(sql.load(f"{path}.sql")).pl().to_dicts()
            for name, path in (
                ("positions", "ingest/positions"),
                ("conservation", "ops/conservation"),
                ("quarantine", "ops/quarantine_by_reason"),
                ("days", "ops/days"),
                ("rates", "ops/rate"),
                ("instruments", "ops/instruments"),
            )
        }
    facts |= {"conservation": facts["conservation"][0], "days": facts["days"][0], "warehouse": str(opened.path)}
    open_again = open_days(opened, now())
    facts |= {"open_days": open_again, "commands_for_open_days": commands(open_again)}
    _add_lags(facts["positions"])
    broken = violations(facts["conservation"])
    if as_json:
        click.echo(json.dumps(facts | {"violations": broken}, default=str))
    else:
        _print(facts, broken)
    if broken:
        raise SystemExit(1)


def _print(facts: dict[str, Any], broken: list[str]) -> None:
    from pipelines.cli.open_days import named
    from pipelines.marts.instrument import InstrumentNight

    counts, days = facts["conservation"], facts["days"]
    click.echo(f"{facts['warehouse']}")
    click.echo(
        f"  {counted(counts['consumed'], 'record')} consumed = {counts['stored']:,} stored"
        f" + {counted(counts['duplicates'], 'duplicate')} + {counted(counts['conflicts'], 'conflict')}"
        f" + {counts['quarantined']:,} quarantined + {counts['erased']:,} erased"
    )
    for words in broken or ["the conservation law holds"]:
        click.echo(f"  {words}")
    if days["first_day"] is None:
        click.echo("  no events yet")
    else:
        click.echo(f"  events from {days['first_day']} to {days['last_day']}")
    last = "" if days["last_published"] is None else f", the last one {days['last_published']}"
    click.echo(f"  {counted(days['nights'], 'night')} published{last}")
    if facts["open_days"]:
        click.echo(f"  open, with events and no night since: {named(facts['open_days'])}")
    for command in facts["commands_for_open_days"]:
        click.echo(f"    {command}")
    for row in facts["instruments"]:
        name = row["instrument"].rsplit(" ", maxsplit=1)[0]
        known = InstrumentNight(**{key: value for key, value in row.items() if key != "instrument"})
        click.echo(f"  judge {name}: {known}")
    for row in facts["quarantine"]:
        click.echo(f"  in quarantine, {row['reason']}: {row['waiting']:,} waiting, {row['released']:,} released")
    for row in facts["positions"][:20]:
        waiting = "" if row.get("lag") is None else f", {counted(row['lag'], 'waits', 'wait')}"
        click.echo(f"  {row['partition']} read up to {row['offset']:,}{waiting}")
    for row in facts["rates"]:
        if row["records_per_second"] is not None:
            were = "were" if row["source"] == "files" else "was"
            click.echo(f"  {row['source']} {were} last read at {row['records_per_second']:,.0f} records a second")


def _add_lags(positions: list[dict[str, Any]]) -> None:
    """Add how many records wait, where there is a Kafka to ask; one that does not answer is said and no error."""
    if not os.environ.get("KAFKA_BOOTSTRAP_SERVERS"):
        return
    from pipelines.io.kafka_connection import KafkaSettings
    from pipelines.io.kafka_lag import lags

    try:
        found = lags(KafkaSettings.from_environment(os.environ), {row["partition"]: row["offset"] for row in positions})
    except NightcheckError as error:
        console.print(f"[dim]{error}[/dim]")
        return
    for row in positions:
        if row["partition"] in found:
            row["lag"] = found[row["partition"]]
