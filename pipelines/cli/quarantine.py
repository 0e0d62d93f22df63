"""`nightcheck quarantine`: see what was rejected, and try it again."""

import json

import click

from pipelines.cli.context import console, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.cli.open_days import tell_open_days
from pipelines.errors import UsageError
from pipelines.io.clock import now
from pipelines.marts.visible import visible


def _known(_context: click.Context, _parameter: click.Parameter, reason: str | None) -> str | None:
    from pipelines.ingest.decode import Reason
    from pipelines.nearest import meant

    if reason is not None and reason not in list(Reason):
        raise UsageError(
            f"reason {reason!r}", "there is none of that name", f"{meant(reason, Reason)}There are: {', '.join(Reason)}"
        )
    return reason


_REASON = click.option("--reason", callback=_known, help="Only this reason code.")


@click.group("quarantine")
def quarantine() -> None:
    """Records that are no events: why, and again after a fix.

    \b
    nightcheck quarantine list
    nightcheck quarantine replay --reason unknown_event_type
    """


@quarantine.command("list")
@_REASON
@click.option("--limit", type=click.IntRange(1, 10**9), default=20, show_default=True, help="At most so many.")
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
        by_reason = connection.execute(sql.load("ops/quarantine_by_reason.sql")).fetchall()
    for row in rows:
        if as_json:
            click.echo(json.dumps(row, default=str))
        else:
            click.echo(visible(f"{row['id']}  {row['reason']} at {row['path']}: {row['message']}"))
            click.echo(f"    {row['partition']} at {row['offset']:,}, {counted(row['bytes'], 'byte')}")
    waiting = sum(count for each, count, _ in by_reason if reason in (None, each))
    if not rows and not as_json:
        click.echo(f"nothing waits{f' for {reason}' if reason else ''}")
    if len(rows) < waiting:
        console.print(f"{len(rows):,} of {waiting:,}; --limit {waiting} shows all")
    if rows and not as_json:
        console.print("Try them again after a fix: nightcheck quarantine replay")


@quarantine.command("replay")
@_REASON
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def replay_command(reason: str | None, *, as_json: bool) -> None:
    """Decode the waiting records again, after a fix.

    What is an event now is stored.

    \b
    nightcheck quarantine replay --reason unknown_event_type
    """
    from pipelines.ingest.quarantine.run import replay

    opened = warehouse(settings())
    released, waiting = replay(opened, now=now, reason=reason)
    if as_json:
        click.echo(json.dumps({"released": released, "waiting": waiting}))
        return
    click.echo(f"{released:,} released, {counted(waiting, 'waits', 'wait')} on")
    if released:
        tell_open_days(opened, now())
