"""`nightcheck alerts`."""

import json

import click

from pipelines.cli.context import console, settings, warehouse


@click.group("alerts")
def alerts() -> None:
    """Rises of irrelevance: which there are, and telling someone."""


@alerts.command("list")
@click.option("--tenant", help="Only this tenant.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON lines.")
def list_command(tenant: str | None, *, as_json: bool) -> None:
    """List all alerts, the newest first.

    \b
    nightcheck alerts list
    nightcheck alerts list --tenant help.example.com --json
    """
    from pipelines.alerts.message import headline, next_step
    from schemas import sql

    with warehouse(settings()).read() as connection:
        rows = connection.sql(sql.load("alerts/list.sql"), params={"tenant": tenant}).pl().to_dicts()
    for row in rows:
        if as_json:
            click.echo(json.dumps(row, default=str))
            continue
        click.echo(headline(row))
        click.echo(f"  {next_step(row)}")
    if not rows and not as_json:
        click.echo("no alert")


@alerts.command("deliver")
def deliver_command() -> None:
    """Tell of every alert that stands on the newest night and that nobody was told of, once."""
    from pipelines.alerts.threshold.run import deliver
    from pipelines.io.clock import now

    chosen = settings()
    told = deliver(warehouse(chosen), now=now, webhook_url=chosen.webhook_url, log=click.echo)
    if not told:
        console.print("nothing to tell")
