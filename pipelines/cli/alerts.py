"""`nightcheck alerts`."""

import json
import math
from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.context import DAY, console, settings, warehouse

if TYPE_CHECKING:
    from pipelines.io.warehouse import Connection

_ENVIRONMENT = click.option("--environment", default="production", show_default=True, help="Whose charts.")


@click.group("alerts")
def alerts() -> None:
    """Rises of irrelevance: list them, answer them, tell someone.

    \b
    nightcheck alerts list
    nightcheck alerts show 1f0c2d
    nightcheck alerts ack --note "index rebuild, fixed at noon"
    """


@alerts.command("list")
@click.option("--tenant", help="Only this tenant.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON lines.")
def list_command(tenant: str | None, *, as_json: bool) -> None:
    """List all alerts, the newest first.

    Also the nights of the last weeks that the charts could not use.

    \b
    nightcheck alerts list
    nightcheck alerts list --tenant help.example.com --json
    """
    from pipelines.alerts.message import headline, unused
    from pipelines.alerts.run import unused_nights
    from schemas import sql

    opened = warehouse(settings())
    with opened.read() as connection:
        rows = connection.sql(sql.load("alerts/list.sql"), params={"tenant": tenant}).pl().to_dicts()
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, default=str))
        return
    for row in rows:
        click.echo(f"{row['alert_id']}  {row['ended'] or 'stands'}  {headline(row)}")
    if not rows:
        click.echo("no alert")
    for line in unused(unused_nights(opened)):
        click.echo(line)


@alerts.command("show")
@click.argument("alert_id", required=False)
@click.option("--tenant", help="Without an alert: only this tenant's charts.")
@_ENVIRONMENT
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON lines.")
def show_command(alert_id: str | None, tenant: str | None, environment: str, *, as_json: bool) -> None:
    """Show one alert in full, or the charts of the newest night.

    \b
    nightcheck alerts show 1f0c2d
    nightcheck alerts show --tenant help.example.com
    """
    from pipelines.alerts.message import told, with_worst
    from schemas import sql

    with warehouse(settings()).read() as connection:
        if alert_id is None:
            parameters = {"environment": environment, "tenant": tenant}
            charts = connection.sql(sql.load("alerts/chart.sql"), params=parameters).pl().to_dicts()
            for line in map(partial(json.dumps, default=str), charts) if as_json else _told(charts):
                click.echo(line)
            if not as_json:
                _say_what_stands(connection, environment)
            return
        found = connection.sql(sql.load("alerts/show.sql"), params={"alert_id": alert_id}).pl().to_dicts()
        examples = {row["alert_id"]: _examples(connection, row) for row in found}
    if not found:
        _no_such_alert(alert_id)
    for row in found:
        if as_json:
            click.echo(json.dumps(row, default=str))
            continue
        click.echo(with_worst(told("opened", [row], opened=row["opened"]), row["worst"]))
        for line in examples[row["alert_id"]]:
            click.echo(line)


def _examples(connection: "Connection", alert: Mapping[str, Any]) -> list[str]:
    """Return a line for each retrieval to read first: what was searched, and what was irrelevant of what came back."""
    from pipelines.marts.visible import visible
    from schemas import sql

    parameters = {name: alert[name] for name in ("worst", "environment", "tenant", "last_day")}
    found = connection.sql(sql.load("alerts/examples.sql"), params=parameters).pl().to_dicts()
    return [
        visible(
            f"  {row['irrelevant']} of {row['judged']} irrelevant, the {row['fault']} broke: "
            f"{' '.join(row['searched_query'].split())} ({row['day']}, {row['retrieval']})"
        )
        for row in sorted(found, key=lambda row: alert["worst"].index(row["retrieval"]))
    ]


@alerts.command("ack")
@click.option("--note", help="Why; stored with the act.")
@_ENVIRONMENT
def ack_command(note: str | None, environment: str) -> None:
    """Acknowledge what alarms: every chart starts from zero again.

    It does so after the newest night. A rise that lasts is called again; one that is to be the new usual wants
    `nightcheck alerts baseline`.

    \b
    nightcheck alerts ack --note "index rebuild, fixed at noon"
    """
    from pipelines.alerts.run import act
    from pipelines.io.clock import now

    opened = warehouse(settings())
    day = act(opened, environment, "acknowledge", now=now(), note=note)
    click.echo(f"{environment}: acknowledged after the night of {day}")
    with opened.read() as connection:
        _say_what_stands(connection, environment)


@alerts.command("baseline")
@click.option("--since", type=DAY, help="The first night that may count as usual; the last eight weeks where not said.")
@click.option("--note", help="Why; stored with the act.")
@click.option("--judge", is_flag=True, help="Accept the judge as it now is, too; it judges all environments.")
@_ENVIRONMENT
def baseline_command(since: date | None, note: str | None, environment: str, *, judge: bool) -> None:
    """Accept a new baseline.

    What has been measured since a night is usual from now on. It takes 28 nights from there; until there are as
    many the charts are learning. A judge that has moved stays so until it is accepted itself.

    \b
    nightcheck alerts baseline --since 2026-11-02 --note "new index"
    nightcheck alerts baseline --judge --note "new model behind the same name"
    """
    from pipelines.alerts.baseline import LEAST_NIGHTS
    from pipelines.alerts.run import act
    from pipelines.io.clock import now

    opened = warehouse(settings())
    day = act(opened, environment, "baseline", now=now(), since=since, note=note, judge=judge)
    click.echo(f"{environment}: a new baseline was asked for after the night of {day}")
    if judge:
        click.echo("the judge is accepted as it now is, for all environments")
    with opened.read() as connection:
        _, _, nights = _learning(connection, environment)
    if nights < LEAST_NIGHTS:
        needed = f"of the {LEAST_NIGHTS} nights that they need there are {nights}"
        click.echo(f"the charts learn anew from the next night on: {needed}")


@alerts.command("test")
def test_command() -> None:
    """Send a test message to the webhook, signed as an alert would be.

    \b
    NIGHTCHECK_WEBHOOK_URL=https://hooks.example.com/n nightcheck alerts test
    """
    from time import sleep

    from pipelines.errors import UsageError
    from pipelines.io.clock import now
    from pipelines.io.notify import post, webhook

    chosen = settings()
    to = webhook(chosen.webhook_url, chosen.webhook_secret)
    if to is None:
        raise UsageError("the webhook", "none is configured", "Set NIGHTCHECK_WEBHOOK_URL")
    tick = now()
    text = "A test of nightcheck: an alert would arrive here."
    post(to, {"text": text}, idempotency_key=f"test-{tick:%Y%m%dT%H%M%S}", now=now, sleep=sleep)
    click.echo("the webhook took it")


@alerts.command("deliver")
def deliver_command() -> None:
    """Tell, once, of everything due that nobody was told of.

    Where no webhook is configured, it is printed.

    \b
    nightcheck alerts deliver
    """
    from time import sleep

    from pipelines.alerts.run import deliver
    from pipelines.io.clock import now
    from pipelines.io.notify import webhook

    chosen = settings()
    to = webhook(chosen.webhook_url, chosen.webhook_secret)
    told = deliver(warehouse(chosen), to=to, now=now, sleep=sleep, log=click.echo)
    if not told:
        console.print("nothing to tell")


def _told(charts: list[dict[str, Any]]) -> list[str]:
    """Return a line for each chart that is not learning, under a heading."""
    rows = [_chart(row) for row in charts if row["state"] != "learning"]
    return [f"{'state':16} {'score':>10} {'searches':>8}  slice", *rows] if rows else []


def _chart(row: Mapping[str, Any]) -> str:
    score = "" if row["score"] is None else f"{math.exp(min(row['score'], 100)):.1f}"
    return f"{row['state']:16} {score:>10} {row['retrievals']:>8}  {row['tenant']}, {row['kind']}, {row['cell']}"


def _learning(connection: "Connection", environment: str) -> tuple[int, int, int]:
    """Return how many charts are learning, of how many, and how many nights they may learn from."""
    from schemas import sql

    ((learning, charts, nights),) = connection.execute(
        sql.load("alerts/learning.sql"), {"environment": environment}
    ).fetchall()
    return learning, charts, nights


def _say_what_stands(connection: "Connection", environment: str) -> None:
    """Say how many charts are still learning, and which alerts stand, each with what ends them."""
    from pipelines.alerts.baseline import LEAST_NIGHTS
    from schemas import sql

    learning, charts, nights = _learning(connection, environment)
    unended = connection.execute(sql.load("alerts/unended.sql"), {"environment": environment})
    ((fleet, threshold),) = unended.fetchall()
    if learning:
        needed = f"{LEAST_NIGHTS} complete nights of its tenant; there are {min(nights, LEAST_NIGHTS)} so far"
        click.echo(f"{learning} of {charts} charts are learning: each needs {needed}")
    if fleet:
        click.echo(f"alerts that stand until they are acknowledged or recover: {fleet} (nightcheck alerts list)")
    if threshold:
        ends = "the first night that is no worse than those before; no acknowledgement ends them"
        click.echo(f"alerts of the rule for charts that are learning: {threshold}, until {ends}")


def _no_such_alert(alert_id: str | None) -> None:
    from pipelines.errors import UsageError

    raise UsageError(f"alert {alert_id!r}", "there is none whose id begins so", "See: nightcheck alerts list")
