"""`nightcheck ingest`, `backfill` and `rebuild`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date

import click

from pipelines.cli.context import DAY, MODE, console, progress, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.cli.open_days import tell_open_days
from pipelines.cli.sources import is_spool, open_sources, open_spool
from pipelines.errors import UsageError
from pipelines.ingest.run import Counts, ingest, rebuild
from pipelines.io.clock import now
from pipelines.settings import Settings


@click.command("ingest")
@click.argument("sources", nargs=-1, required=True)
@click.option("--topic", help="With the source kafka: the topic to read.")
@click.option("--until-end", is_flag=True, help="With kafka or a spool: stop at what was there at the start.")
@click.option(
    "--start",
    type=click.Choice(["earliest", "latest"]),
    default="earliest",
    show_default=True,
    help="With kafka: where to begin in a partition that was never read.",
)
@click.option(
    "--after-halt",
    type=click.Choice(["earliest", "latest"]),
    help="With kafka: where to go on in a partition that was made anew, cut off or expired.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def ingest_command(
    sources: tuple[str, ...],
    *,
    topic: str | None,
    until_end: bool,
    start: str,
    after_halt: str | None,
    as_json: bool,
) -> None:
    """Read events into the warehouse, exactly once in effect.

    A SOURCE is a file of JSON lines (.jsonl, .gz, .zst), a folder of such files, - for standard input, spool (or
    spool:FOLDER) for what a collector writes, or kafka. A spool or kafka alone is followed until SIGTERM or Ctrl-C;
    a spool among other sources is read to its end. What was read before is not read again; what was stored before is
    counted as a duplicate; what is no event waits in quarantine with the reason.
    A file's last line that is not finished yet is told, and read once it is.

    \b
    nightcheck ingest events.jsonl.gz
    zcat old/*.gz | nightcheck ingest -
    nightcheck ingest spool
    nightcheck ingest kafka --topic events
    """
    chosen = settings()
    if sources == ("kafka",):
        from pipelines.cli.kafka import Following, follow

        following = Following(topic=topic, until_end=until_end, start=start, after_halt=after_halt)
        counts = follow(following, chosen)
        _doubt(f"topic {topic}", counts)
    elif topic is not None or "kafka" in sources:
        raise UsageError("the sources", "kafka is read alone and needs a topic", "nightcheck ingest kafka --topic T")
    elif len(sources) == 1 and is_spool(sources[0]):
        from pipelines.cli.following import follow_source

        counts = follow_source(open_spool(sources[0], chosen, follow=not until_end), chosen)
        _doubt(sources[0], counts)
    else:
        counts = ingest_all(sources, chosen)
    report(counts, as_json=as_json)
    if counts.stored and not as_json:
        tell_open_days(warehouse(chosen), now())


def ingest_all(sources: Sequence[str], chosen: Settings) -> Counts:
    """Read all sources, one after the other, showing progress; return what became of the records."""
    total = Counts()
    with progress() as shown:
        task = shown.add_task("events", total=None)
        for name, source in zip(sources, open_sources(sources, chosen), strict=True):
            try:
                counts = ingest(
                    source,
                    warehouse(chosen),
                    now=now,
                    on_batch=lambda counts: shown.advance(task, counts.consumed),
                )
            finally:
                source.close()
            _doubt(name, counts)
            total += counts
    return total


def _doubt(source: str, counts: Counts) -> None:
    """Say of a source that held no event at all that it may be the wrong one.

    No failure: its records are stored, counted and can be replayed, and read again they would be none at all.
    """
    if 0 < counts.consumed == counts.quarantined:
        message = f"{source}: not one of {counted(counts.consumed, 'record')} is an event; is it the right source?"
        console.print(message, style="yellow", markup=False, highlight=False, soft_wrap=True)


def report(counts: Counts, *, as_json: bool) -> None:
    """Print what became of the records."""
    if as_json:
        click.echo(json.dumps(asdict(counts)))
        return
    twice = f"{counted(counts.duplicates, 'duplicate')}, {counted(counts.conflicts, 'conflict')}"
    click.echo(
        f"{counted(counts.consumed, 'record')} read: {counts.stored:,} stored, {twice}, "
        f"{counts.quarantined:,} quarantined, {counts.erased:,} erased"
    )
    if counts.quarantined:
        console.print("What is in quarantine, and why: nightcheck quarantine list")


@click.command("backfill")
@click.option("--day", type=DAY, required=True, help="The day to run again.")
@click.option("--judge", help="lexical, openai or labels:FILE; default NIGHTCHECK_JUDGE.")
@MODE
@click.argument("sources", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def backfill(day: date, judge: str | None, sources: tuple[str, ...], *, mode: str | None, as_json: bool) -> None:
    """Read what is given, then run that day's night again.

    Verdicts that are known are not asked for again, so an unchanged day costs no judge call.

    \b
    nightcheck backfill --day 2026-11-20
    nightcheck backfill --day 2026-11-20 late-events.jsonl.gz
    nightcheck backfill --day 2026-11-20 --judge openai --mode live
    """
    from pipelines.cli.night import run_days

    chosen = settings()
    if sources:
        report(ingest_all(sources, chosen), as_json=as_json)
    run_days([day], chosen, judge=judge, mode=mode, as_json=as_json)


@click.command("rebuild")
@click.option("--json", "as_json", is_flag=True, help="Print how many events there were as JSON.")
def rebuild_command(*, as_json: bool) -> None:
    """Derive every canonical table anew from the raw log.

    The result equals, row by row, what was stored as the events came. Needed after a change of NIGHTCHECK_TIMEZONE.

    \b
    NIGHTCHECK_TIMEZONE=Europe/Rome nightcheck rebuild
    """
    with progress() as shown:
        task = shown.add_task("events", total=None)
        read = rebuild(warehouse(settings()), on_rows=lambda rows: shown.update(task, completed=rows))
    click.echo(json.dumps({"events": read}) if as_json else f"{counted(read, 'event')} projected anew")
