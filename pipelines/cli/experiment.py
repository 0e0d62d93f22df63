"""`nightcheck experiment`: which query strategy retrieves better, proven or not."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pipelines.cli.context import console, progress, settings, warehouse
from pipelines.cli.counted import counted

_Command = Callable[..., None]


def _how_to_read(command: _Command) -> _Command:
    """Give a command the options of the comparison."""
    options = (
        click.option("--measure", help="What verdicts are read from; default nDCG@5, or the judge's measure."),
        click.option(
            "--margin",
            type=click.FloatRange(min=0),
            default=0.02,
            show_default=True,
            help="A difference not worth having.",
        ),
        click.option("--seed", type=int, default=20261130, show_default=True, help="Of the resamples."),
        click.option("--resamples", type=click.IntRange(min=1000), default=10_000, show_default=True),
        click.option(
            "--interval", "method", type=click.Choice(["BCa", "percentile"]), default="BCa", show_default=True
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


_OUT = click.option("--out", type=click.Path(path_type=Path), help="Write report.md and report.html into this folder.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print comparisons as JSON lines.")


@click.group("experiment")
def experiment() -> None:
    """Compare query strategies on a labelled set.

    \b
    nightcheck experiment run november/tuning
    nightcheck experiment list
    """


@experiment.command("run")
@click.argument("dataset")
@click.option("--strategy", "specs", multiple=True, help="NAME, NAME@MODEL, or several joined by +.")
@click.option("--control", default="raw", show_default=True, help="What the others are compared with.")
@click.option(
    "--retriever", default="bm25", show_default=True, help="bm25, dense, hybrid, two-channels, or an http address."
)
@click.option("--judge", default="qrels", show_default=True, help="qrels (known relevance), lexical or openai.")
@click.option("--k", type=click.IntRange(min=1), default=10, show_default=True, help="Passages of each answer.")
@click.option("--repetitions", type=click.IntRange(min=1), default=1, show_default=True, help="Of everything.")
@click.option("--at-once", type=click.IntRange(min=1), default=8, show_default=True, help="Turns in flight.")
@_how_to_read
@_OUT
@_JSON
def run_command(dataset: str, *, measure: str | None, out: Path | None, as_json: bool, **given: Any) -> None:
    """Run strategies over DATASET: which one retrieves better?

    Every item must complete, else the run has failed; running it again pays only for what is missing. The control is
    run twice, so that what moves when nothing changes is known. Without --strategy: every strategy that needs no
    model, the gate fused with the message, and a rewrite by every recorded text of the set.

    MODEL is the name of a recorded text (several with commas between), or of a model at NIGHTCHECK_MODEL_BASE_URL.

    \b
    nightcheck experiment run retrieval
    nightcheck experiment run november/held_out --strategy gated_combine --strategy raw+rewrite@MODEL --judge openai
    nightcheck experiment run november/held_out --retriever http://127.0.0.1:8000/search --judge lexical
    """
    from pipelines.cli.experiment_output import statistics, tell, threshold_line
    from pipelines.experiments.conduct.run import conduct
    from pipelines.experiments.ledger.run import Ledger
    from pipelines.experiments.setup.run import Asked, set_up
    from pipelines.io.clock import now

    chosen = settings()
    how = statistics(given)
    ready = set_up(
        Asked(dataset=dataset, **given),
        chosen,
        environment=os.environ,
        warn=lambda text: console.print(text, style="yellow", markup=False),
    )
    design = ready.design
    ledger = Ledger(warehouse(chosen))
    with progress() as shown:
        task = shown.add_task(
            f"{counted(len(design.strategies), 'strategy', 'strategies')}, {counted(len(design.items), 'item')}",
            total=design.expected,
        )
        reading = conduct(
            ledger,
            design,
            ready.doors,
            how,
            now=now,
            measure=measure,
            advance=lambda count: shown.advance(task, count),
        )
    tell(ledger, reading, out=out, as_json=as_json, present_harness=design.harness_version)
    if ready.threshold is not None and not as_json:
        click.echo(threshold_line(reading, ready.threshold))


@experiment.command("report")
@click.argument("run")
@_how_to_read
@_OUT
@_JSON
def report_command(run: str, *, measure: str | None, out: Path | None, as_json: bool, **given: Any) -> None:
    """Show a stored run again: RUN is its id, or how that begins. A run that misses items is refused.

    \b
    nightcheck experiment report 3f2a --out report
    """
    from pipelines.cli.experiment_output import statistics, tell
    from pipelines.experiments.ledger.run import Ledger
    from pipelines.experiments.reading import read

    ledger = Ledger(warehouse(settings()))
    tell(ledger, read(ledger.load(run), statistics(given), measure=measure), out=out, as_json=as_json)


@experiment.command("compare")
@click.argument("one")
@click.argument("other")
@_how_to_read
@_JSON
def compare_command(one: str, other: str, *, measure: str | None, as_json: bool, **given: Any) -> None:
    """Compare two strategies, of one run or of two, item by item. Each is RUN:STRATEGY; the items must be the same.

    \b
    nightcheck experiment compare 3f2a:raw 77c0:gated_combine
    """
    from pipelines.cli.experiment_output import as_record, statistics
    from pipelines.experiments.conduct.run import compare_runs
    from pipelines.experiments.ledger.run import Ledger
    from pipelines.experiments.wording import resolution, verdict

    how = statistics(given)
    compared = compare_runs(Ledger(warehouse(settings())), one, other, how, measure=measure)
    if as_json:
        click.echo(json.dumps(as_record(compared)))
        return
    of = f"{counted(compared.items, 'item')}, {counted(compared.clusters, 'conversation')}"
    click.echo(f"{other} against {one}, {compared.measure}, {of}:")
    said, resolves = verdict(compared, how, strategies=1), resolution(compared, how)
    click.echo(said)
    tally = compared.tally
    click.echo(
        f"better on {tally.wins}, worse on {tally.losses}, the same on {tally.ties}; "
        f"sign test p = {compared.p_sign:.4f}, permutation test p = {compared.p_permutation:.4f}"
    )
    if compared.power_for_margin is not None:
        click.echo(
            f"so many items show a difference of {how.margin:.3f} with a chance of {compared.power_for_margin:.0%}"
            f"{'' if resolves in said else resolves}"
        )


@experiment.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the runs as JSON lines.")
def list_command(*, as_json: bool) -> None:
    """List the runs, complete and failed.

    Each with what its report calls better than its control.

    \b
    nightcheck experiment list
    """
    from pipelines.cli.experiment_output import run_lines
    from pipelines.experiments.ledger.run import Ledger

    for line in run_lines(Ledger(warehouse(settings())), as_json=as_json):
        click.echo(line)


@experiment.command("threshold")
@click.argument("dataset")
@click.argument("run")
@click.option("--measure", help="Which measure the threshold is of; default the one that verdicts are read from.")
@click.option("--json", "as_json", is_flag=True, help="Print the threshold as JSON.")
def threshold_command(dataset: str, run: str, *, measure: str | None, as_json: bool) -> None:
    """Write DATASET's threshold.

    It is one standard error under its own control, as RUN measured it.

    \b
    nightcheck experiment threshold retrieval 3f2a
    """
    from pipelines.experiments.comparison import Settings
    from pipelines.experiments.conduct.run import set_threshold
    from pipelines.experiments.datasets.run import folder_of
    from pipelines.experiments.ledger.run import Ledger
    from pipelines.experiments.reading import read

    chosen = settings()
    reading = read(Ledger(warehouse(chosen)).load(run), Settings(), measure=measure)
    found = set_threshold(folder_of(chosen, dataset), reading)
    if as_json:
        click.echo(json.dumps({"dataset": dataset} | asdict(found), default=str))
        return
    click.echo(f"{dataset}: {found.measure} {found.value:.4f}, from {found.control} in run {found.run_id}")
