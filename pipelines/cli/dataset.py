"""`nightcheck dataset`: labelled sets of turns, drawn without personal data."""

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipelines.cli.context import DAY, days_between, existing, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.errors import UsageError

if TYPE_CHECKING:
    from pipelines.experiments.datasets.run import Written


@click.group("dataset")
def dataset() -> None:
    """Labelled sets of turns for experiments.

    \b
    nightcheck dataset harvest november --from 2026-11-01 --to 2026-11-29
    nightcheck dataset names november/tuning
    nightcheck dataset release november/tuning --reader YOU
    nightcheck dataset check november/tuning
    """


@dataset.command("harvest")
@click.argument("name")
@click.option("--from", "first", type=DAY, required=True, help="The first day to draw from.")
@click.option("--to", "last", type=DAY, required=True, help="The last day to draw from.")
@click.option("--tag", "tags", multiple=True, help="Only turns with this tag; may be given more than once.")
@click.option(
    "--per-tenant", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many a tenant."
)
@click.option("--held-out", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Share of conversations.")
@click.option("--against", multiple=True, type=click.Path(path_type=Path), help="An earlier set to repeat nothing of.")
@click.option("--tenant", help="Only this tenant.")
@click.option("--seed", default="nightcheck-1", show_default=True, help="Another seed draws another set.")
@click.option("--json", "as_json", is_flag=True, help="Print what was drawn as JSON.")
def harvest_command(
    name: str,
    *,
    first: date,
    last: date,
    tags: tuple[str, ...],
    per_tenant: int,
    held_out: float,
    against: tuple[Path, ...],
    tenant: str | None,
    seed: str,
    as_json: bool,
) -> None:
    """Draw a set from stored turns, without personal data.

    It is capped per tenant, split, and has no repetitions. E-mail addresses become synthetic ones; turns with
    telephone numbers or ages are left out; possible names are listed for you to read. If a detector fails or anything
    personal is left, nothing is written.

    Tags: first, later, gate:DECISION, resolution:HOW (gate:follow_up, resolution:combined).

    \b
    nightcheck dataset harvest november --from 2026-11-01 --to 2026-11-29
    nightcheck dataset harvest followups --from 2026-11-01 --to 2026-11-29 --tag gate:follow_up --against sept/tuning
    """
    from pipelines.experiments.datasets import run
    from pipelines.experiments.datasets.harvest import HarvestRequest
    from pipelines.io.clock import now
    from pipelines.io.datasets import read_or_make_key

    chosen = settings()
    days = days_between(None, first, last)
    written = run.harvest_to(
        _new_folder(chosen.datasets, name),
        run.stored_turns(warehouse(chosen), days[0], days[-1], environments=chosen.environments, tenant=tenant),
        HarvestRequest(per_tenant_cap=per_tenant, tags=frozenset(tags), held_out_share=held_out, seed=seed),
        key=read_or_make_key(chosen.privacy_key),
        now=now(),
        source=f"stored turns of {first} to {last}",
        earlier=[run.folder_of(chosen, str(each)) for each in against],
    )
    _tell(name, written, as_json=as_json)


def _tell(name: str, written: "Written", *, as_json: bool) -> None:
    if as_json:
        sets = {split.value: asdict(each.manifest) for split, each in written.sets.items()}
        click.echo(json.dumps({"sets": sets, "left_out": written.left_out, "names": written.names}, default=str))
        return
    for split, each in written.sets.items():
        click.echo(f"{name}/{split.value}: {counted(each.manifest.items, 'item')}")
    for reason, count in written.left_out.items():
        click.echo(f"  left out, {reason}: {count:,}")
    waiting = counted(written.names, "possible name waits", "possible names wait")
    click.echo(f"{waiting} for a reader: nightcheck dataset names {name}/tuning")
    click.echo(f"then: nightcheck dataset release {name}/tuning --reader YOU")


@dataset.command("check")
@click.argument("folder")
@click.option("--json", "as_json", is_flag=True, help="Print the faults as JSON.")
def check_command(folder: str, *, as_json: bool) -> None:
    """Say whether a set may be measured on.

    Its hash, labels, threshold and release are looked at, and that nothing personal is left in it. FOLDER is the name
    of a harvested set, such as november/tuning, or a path. Exit code 1 where it may not.

    \b
    nightcheck dataset check november/tuning
    """
    from pipelines.experiments.datasets import run

    faults = run.check(run.folder_of(settings(), folder))
    if as_json:
        click.echo(json.dumps({"usable": not faults, "faults": faults}))
    else:
        for fault in faults:
            click.echo(f"- {fault}")
        click.echo("not usable" if faults else "usable")
    if faults:
        raise click.exceptions.Exit(1)


@dataset.command("names")
@click.argument("folder")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON lines.")
def names_command(folder: str, *, as_json: bool) -> None:
    """List the possible names in an unreleased set.

    The surest come first, each with a place to read.

    \b
    nightcheck dataset names november/tuning
    """
    from pipelines.experiments.datasets import run

    for each in run.names(run.folder_of(settings(), folder)):
        if as_json:
            click.echo(json.dumps(asdict(each), ensure_ascii=False))
        else:
            click.echo(f"{each.name}  ({', '.join(each.rules)}; {counted(len(each.items), 'item')})")
            click.echo(f"    … {' '.join(each.example.split())} …")


@dataset.command("release")
@click.argument("folder")
@click.option("--reader", required=True, help="Who has read the list of possible names.")
@click.option("--drop", "drop_items", multiple=True, help="Take out this item.")
@click.option("--drop-name", "drop_names", multiple=True, help="Take out every item in which this name stands.")
def release_command(folder: str, reader: str, drop_items: tuple[str, ...], drop_names: tuple[str, ...]) -> None:
    """Say that a person has read the possible names of a set.

    From then on experiments may use it.

    \b
    nightcheck dataset release november/tuning --reader "M. Reader" --drop-name "Some Name"
    """
    from pipelines.experiments.datasets import run

    released = run.release(
        run.folder_of(settings(), folder), reader=reader, drop_items=drop_items, drop_names=drop_names
    )
    click.echo(f"{released.manifest.name}: {counted(released.manifest.items, 'item')}, released")


@dataset.command("import-retrieval")
@click.argument("source")
@click.argument("target", type=click.Path(path_type=Path))
def import_command(source: str, target: Path) -> None:
    """Make a set out of a published retrieval benchmark.

    Its passages come along.

    SOURCE holds turns.jsonl, qrels.json and passages_DOMAIN.jsonl.gz; TARGET is the folder to write.

    \b
    nightcheck dataset import-retrieval ../shared/data/retrieval retrieval
    """
    from pipelines.experiments.datasets import run
    from pipelines.io.clock import now

    imported = run.import_retrieval(existing(source), target.absolute(), now=now())
    passages = sum(each.passages for each in imported.manifest.collections.values())
    click.echo(f"{imported.manifest.name}: {counted(imported.manifest.items, 'item')}, {counted(passages, 'passage')}")


def _new_folder(root: Path, name: str) -> Path:
    """Return the folder of a set that is to be harvested, among the others."""
    path = Path(name)
    if path.is_absolute() or ".." in path.parts or not path.name:
        raise UsageError(name, "a set's name stays below the folder of sets", "Use a plain name")
    return root / path
