"""What `nightcheck experiment` prints and writes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from pipelines.experiments.comparison import Comparison, Outcome, Settings
from pipelines.experiments.conduct.run import confirmations
from pipelines.experiments.confirmation import Confirmation, confirmation_of
from pipelines.experiments.datasets.manifest import Threshold
from pipelines.experiments.ledger.run import Ledger
from pipelines.experiments.reading import Reading, primary_among
from pipelines.experiments.report import as_markdown, as_page
from pipelines.experiments.report.tables import Table, acted, comparison, cost, headline, verdicts
from pipelines.experiments.statistics.clusters import Method
from pipelines.experiments.thresholds import below, require_own
from pipelines.experiments.wording import notes
from pipelines.io.files_whole import write_whole

_WIDTH = 150


def statistics(given: dict[str, Any]) -> Settings:
    """Take the options of the comparison out of those given and return them as settings."""
    return Settings(
        margin=given.pop("margin"),
        seed=given.pop("seed"),
        resamples=given.pop("resamples"),
        method=Method(given.pop("method")),
    )


def tell(
    ledger: Ledger, reading: Reading, *, out: Path | None, as_json: bool, present_harness: str | None = None
) -> None:
    """Print a reading, and write its report where a folder is named."""
    confirmed = confirmations(ledger, reading, present_harness=present_harness)
    if as_json:
        run_id = reading.stored.run.run_id
        for compared in reading.comparisons.values():
            for each in compared:
                click.echo(json.dumps({"run": run_id} | as_record(each)))
    else:
        _print(reading, confirmed)
    if out is not None:
        write_whole(out / "report.md", as_markdown(reading, confirmed).encode())
        write_whole(out / "report.html", as_page(reading, confirmed).encode())
        if not as_json:
            click.echo(f"\nwritten: {out / 'report.md'}, {out / 'report.html'}")


def threshold_line(reading: Reading, threshold: Threshold) -> str:
    """Say which strategies scored below the set's threshold; raises `ForeignThresholdError` for another set's."""
    run = reading.stored.run
    worse = below(reading, require_own(threshold, run.dataset_hash, run.dataset))
    return (
        f"Threshold {threshold.value:.3f} on {threshold.measure} (run {threshold.run_id}). "
        f"Below it, so worse than doing nothing: {', '.join(worse) or 'none'}. It cannot rank two strategies."
    )


def as_record(each: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data."""
    interval = each.interval
    names = ("strategy", "measure", "items", "clusters", "control_mean", "mean", "difference", "within", "p_holm")
    return {name: getattr(each, name) for name in names} | {
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "p_sign": each.p_sign,
        "p_permutation": each.p_permutation,
        "smallest_detectable": each.smallest_detectable,
        "power_for_margin": each.power_for_margin,
        "items_for_margin": each.items_for_margin,
        "better": each.tally.wins,
        "worse": each.tally.losses,
        "same": each.tally.ties,
        "outcome": each.outcome.value,
    }


def run_lines(ledger: Ledger, *, as_json: bool) -> Iterator[str]:
    """Yield one line a run, the oldest first, with what its report calls better and whether another run repeats it."""
    outcomes = ledger.outcomes()
    for run in ledger.runs():
        of_run = [each for each in outcomes if each.run_id == run.run_id]
        measure = primary_among({each.measure for each in of_run})
        better = {
            each.strategy: confirmation_of(each, outcomes)
            for each in of_run
            if each.measure == measure and each.outcome is Outcome.BETTER
        }
        status = "complete" if run.complete else "failed"
        if as_json:
            yield json.dumps(
                {
                    "run": run.run_id,
                    "dataset": run.dataset,
                    "started_at": run.started_at.isoformat(),
                    "status": status,
                    "completed": run.completed,
                    "expected": run.expected,
                    "retriever": run.retriever,
                    "judge": run.judge,
                    "harness": run.harness_version,
                    "measure": measure,
                    "better": better,
                }
            )
        else:
            said = ", ".join(f"{strategy} ({confirmed})" for strategy, confirmed in better.items())
            yield (
                f"{run.run_id}  {run.started_at:%Y-%m-%d %H:%M}  {status:8}  {run.completed}/{run.expected}  "
                f"{run.dataset}  {run.retriever.split(',')[0]}  {run.judge.split()[0]}  "
                f"better{'' if measure is None else f' on {measure}'}: {said or 'none'}"
            )


def _print(reading: Reading, confirmed: Mapping[str, Confirmation]) -> None:
    console = Console(width=None if Console().is_terminal else _WIDTH)
    for line in headline(reading):
        click.echo(line)
    for table in (comparison(reading), verdicts(reading, confirmed), acted(reading), cost(reading)):
        console.print(_rich(table))
    for note in notes(reading):
        click.echo(f"- {note}")


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=table.title, title_justify="left", box=box.SIMPLE_HEAD, caption=table.note or None)
    shown.caption_justify = "left"
    for column in table.columns:
        shown.add_column(column, overflow="fold")
    for row in table.rows:
        shown.add_row(*row)
    return shown
