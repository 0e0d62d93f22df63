"""`nightcheck tenants`: read and set what holds for one tenant."""

import getpass
import json

import click

from pipelines.cli.context import settings, warehouse
from pipelines.tenants.configuration import TenantConfiguration


@click.group("tenants")
def tenants() -> None:
    """Configurations of tenants, with versions.

    So two people can't overwrite each other unseen.

    \b
    nightcheck tenants get help.example.com
    nightcheck tenants set help.example.com gate=25% --based-on 3
    """


@tenants.command("get")
@click.argument("tenant", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON lines.")
def get_command(tenant: str | None, *, as_json: bool) -> None:
    """Print what is in force for one tenant, or for all.

    All are those for whom something was set.

    \b
    nightcheck tenants get help.example.com
    """
    from pipelines.tenants.run import everyone, get

    opened = warehouse(settings())
    for each in [get(opened, tenant)] if tenant else everyone(opened):
        _print(each, as_json=as_json)


@tenants.command("set")
@click.argument("tenant")
@click.argument("setting", metavar="gate=VALUE")
@click.option("--based-on", type=click.IntRange(min=0), required=True, help="The version that you have read (0: none).")
@click.option("--by", default=getpass.getuser, show_default="you", help="Who changes it.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def set_command(tenant: str, setting: str, based_on: int, by: str, *, as_json: bool) -> None:
    """Set the gate of one tenant: off, shadow, on or a share.

    In shadow it is recorded and not obeyed; a share is one of conversations.

    Fails, and changes nothing, if someone has changed the configuration since the version that you name. Applications
    read the result from NIGHTCHECK_HOME/published/tenants.json.

    \b
    nightcheck tenants set help.example.com gate=shadow --based-on 0
    nightcheck tenants set help.example.com gate=25% --based-on 1
    """
    from pipelines.errors import UsageError
    from pipelines.io.clock import now
    from pipelines.tenants.configuration import read_gate
    from pipelines.tenants.run import publish, put

    name, equals, value = setting.partition("=")
    if not equals or name != "gate":
        raise UsageError(setting, "there is no such setting", "Set gate=off, gate=shadow, gate=on or gate=25%")
    chosen = settings()
    opened = warehouse(chosen)
    stored = put(opened, tenant, read_gate(value), based_on=based_on, at=now(), by=by)
    publish(opened, chosen.published)
    _print(stored, as_json=as_json)


def _print(configuration: TenantConfiguration, *, as_json: bool) -> None:
    if as_json:
        shown = {"tenant": configuration.tenant, "version": configuration.version, "gate": str(configuration.gate)}
        click.echo(json.dumps(shown))
        return
    since = (
        ""
        if configuration.changed_at is None
        else f", set {configuration.changed_at:%Y-%m-%d %H:%M} by {configuration.changed_by}"
    )
    click.echo(f"{configuration.tenant}: version {configuration.version}, gate={configuration.gate}{since}")
