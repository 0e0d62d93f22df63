"""`nightcheck keys`: the write keys of applications."""

import json

import click

from pipelines.cli.context import console, settings


@click.group("keys")
def keys() -> None:
    """Write keys of applications, each for one tenant alone.

    \b
    nightcheck keys create help.example.com
    nightcheck keys list
    nightcheck keys revoke 4f0c2a91b7de
    """


@keys.command("create")
@click.argument("tenant")
@click.option("--json", "as_json", is_flag=True, help="Print the key as JSON.")
def create(tenant: str, *, as_json: bool) -> None:
    """Make a key for TENANT and show it, this once.

    Only a hash of it is kept. To rotate: create a new key, give it to the application, revoke the old one.

    \b
    nightcheck keys create help.example.com
    """
    from pipelines.collect.run import create_key
    from pipelines.io.clock import now

    key, stored = create_key(settings().home, tenant, now)
    if as_json:
        click.echo(json.dumps({"key": key, "id": stored.key_id, "tenant": stored.tenant}))
    else:
        click.echo(key)
        console.print(f"id {stored.key_id}, for {stored.tenant}; it is not shown again")


@keys.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
def list_command(*, as_json: bool) -> None:
    """List the keys by id: tenant, since when, until when.

    \b
    nightcheck keys list
    """
    from pipelines.collect.run import keyring

    for stored in sorted(keyring(settings().home).items().values(), key=lambda key: (key.tenant, key.created_at)):
        revoked = stored.revoked_at.isoformat() if stored.revoked_at else None
        row = {"id": stored.key_id, "tenant": stored.tenant, "created_at": stored.created_at.isoformat()}
        if as_json:
            click.echo(json.dumps(row | {"revoked_at": revoked}))
        else:
            click.echo(
                f"{stored.key_id}  {stored.tenant}  since {row['created_at']}"
                + (f"  revoked {revoked}" if revoked else "")
            )


@keys.command("revoke")
@click.argument("key_id")
def revoke(key_id: str) -> None:
    """Revoke a key by its id.

    A running collector refuses it from the next request on.

    \b
    nightcheck keys revoke 4f0c2a91b7de
    """
    from pipelines.collect.run import revoke_key
    from pipelines.io.clock import now

    stored = revoke_key(settings().home, key_id, now)
    click.echo(f"{stored.key_id} of {stored.tenant} is revoked")
