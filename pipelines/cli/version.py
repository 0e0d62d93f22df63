"""`nightcheck version`."""

from importlib.metadata import version as installed_version

import click


@click.command()
def version() -> None:
    """Print the version of nightcheck.

    \b
    nightcheck version
    """
    click.echo(f"nightcheck {installed_version('nightcheck')}")
