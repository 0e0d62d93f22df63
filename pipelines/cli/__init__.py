"""The command line: one module per group of commands, imported only when its command runs.

Exit codes: 0 done, 1 the work failed or found something wrong, 2 the command was misused, 130 someone stopped it.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from pipelines.errors import NightcheckError, UsageError
from pipelines.marts.visible import visible
from pipelines.settings import unread

#: Every command and where it lives. A new command is one module and one line here.
COMMANDS: dict[str, str] = {
    "alerts": "pipelines.cli.alerts:alerts",
    "backfill": "pipelines.cli.ingest:backfill",
    "dataset": "pipelines.cli.dataset:dataset",
    "demo": "pipelines.cli.demo:demo",
    "disclaim": "pipelines.cli.disclaim:disclaim",
    "erase": "pipelines.cli.erase:erase",
    "experiment": "pipelines.cli.experiment:experiment",
    "gate": "pipelines.cli.gate:gate",
    "ingest": "pipelines.cli.ingest:ingest_command",
    "judge": "pipelines.cli.judge:judge",
    "keys": "pipelines.cli.keys:keys",
    "night": "pipelines.cli.night:night",
    "publish": "pipelines.cli.night:publish_command",
    "quarantine": "pipelines.cli.quarantine:quarantine",
    "rebuild": "pipelines.cli.ingest:rebuild_command",
    "replay": "pipelines.cli.kafka:replay",
    "report": "pipelines.cli.report:report",
    "serve": "pipelines.cli.serve:serve",
    "show": "pipelines.cli.show:show",
    "status": "pipelines.cli.status:status",
    "tenants": "pipelines.cli.tenants:tenants",
    "trend": "pipelines.cli.trend:trend",
    "version": "pipelines.cli.version:version",
    "when": "pipelines.cli.when:when",
}


#: what a shell gives for a process that SIGINT ended
_INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for, so that a quick command starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command, or None where there is none of that name."""
        where = COMMANDS.get(cmd_name)
        if where is None:
            return None
        module, attribute = where.split(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            msg = f"{where} is no click command"
            raise TypeError(msg)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; an unknown one is answered with the nearest that there are."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
def app() -> None:
    """Every night: was what the agent retrieved relevant, and if not, which half broke?

    \b
    nightcheck demo                        the whole job on generated traffic
    nightcheck ingest events.jsonl.gz      read events into the warehouse
    nightcheck night --day 2026-11-29      sample, judge, publish, alert
    nightcheck show relevance_daily        read the nightly relevance mart
    """
    for warning in unread(os.environ):
        click.echo(f"nightcheck: {visible(warning)}", err=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; turn an error of ours into one line on stderr and an exit code."""
    given = None if arguments is None else list(arguments)
    try:
        sys.exit(app.main(args=given, prog_name="nightcheck", standalone_mode=False))
    except (click.exceptions.Abort, KeyboardInterrupt) as stopped:
        _stopped(str(stopped))
    except RuntimeError as error:
        if str(error) != "Query interrupted":  # DuckDB's word for Ctrl-C while a statement runs
            raise
        _stopped()
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except NightcheckError as error:
        click.echo(f"nightcheck: {visible(str(error))}", err=True)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except OSError as error:
        where = error.filename or "the system"
        click.echo(f"nightcheck: {where}: {error.strerror or error}. Check the path, its rights and the disk", err=True)
        sys.exit(1)


def _stopped(kept: str = "") -> NoReturn:
    kept = kept or "What was done is kept; run the same command again to go on"
    click.echo(f"nightcheck: stopped. {kept}", err=True)
    sys.exit(_INTERRUPTED)
