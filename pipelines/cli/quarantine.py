"""`nightcheck quarantine`: see what was rejected, and try it again."""

import json

import click

from pipelines.cli.context import settings, warehouse
from pipelines.marts.visible import visible


@click.group("quarantine")
def quarantine() -> None:
    """Records that are no events: why, and again after a fix."""


@quarantine.command("list")
@click.option("--reason", help="Only this reason code.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON lines.")
def list_command(reason: str | None, limit: int, *, as_json: bool) -> None:
    """List the records that wait, newest first. The bytes stay in the warehouse: they may hold personal data.

    \b
    nightcheck quarantine list
    nightcheck quarantine list --reason invalid_tenant --json
    """
    from schemas import sql

    with warehouse(settings()).read() as connection:
        query = connection.sql(sql.load("ingest/quarantine_waiting.sql"), params={"reason": reason, "limit": limit})
        rows = query.pl().to_dicts()
    for row in rows:
        if as_json:
            click.echo(json.dumps(row, default=str))
        else:
            click.echo(visible(f"{row['id']}  {row['reason']} at {row['path']}: {row['message']}"))
            click.echo(f"    {row['partition']} at {row['offset']:,}, {row['bytes']:,} bytes")
    if not rows and not as_json:
        click.echo("nothing waits")


@quarantine.command("replay")
@click.option("--reason", help="Only this reason code.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def replay_command(reason: str | None, *, as_json: bool) -> None:
    """Decode the waiting records again, after a fix of the contract; what is an event now is stored.

    \b
    nightcheck quarantine replay --reason unknown_event_type
    """
    from pipelines.ingest.quarantine.run import replay
    from pipelines.io.clock import now

    released, waiting = replay(warehouse(settings()), now=now, reason=reason)
    if as_json:
        click.echo(json.dumps({"released": released, "waiting": waiting}))
    else:
        click.echo(f"{released:,} released, {waiting:,} wait on")
