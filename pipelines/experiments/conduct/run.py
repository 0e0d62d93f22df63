"""Carry an experiment out and store it: resume what is missing, refuse what is incomplete, read what is there."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pipelines.errors import UsageError
from pipelines.experiments.comparison import Comparison, Settings, compare_all
from pipelines.experiments.confirmation import Confirmation, confirmation_of
from pipelines.experiments.datasets import manifest as manifest_file
from pipelines.experiments.datasets.dataset import ITEMS, MANIFEST, NAMES
from pipelines.experiments.datasets.manifest import Threshold
from pipelines.experiments.datasets.run import load_usable
from pipelines.experiments.design import Design
from pipelines.experiments.ledger.run import Ledger
from pipelines.experiments.reading import Reading, primary_of, read, scores_of
from pipelines.experiments.record import StoredRun, require_complete, require_same
from pipelines.experiments.run import Doors, execute
from pipelines.experiments.thresholds import threshold_from
from pipelines.io.datasets import read_file, write_folder
from pipelines.judging.openai import OpenAIJudge


def conduct(
    ledger: Ledger,
    design: Design,
    doors: Doors,
    settings: Settings,
    *,
    now: Callable[[], datetime],
    measure: str | None = None,
    advance: Callable[[int], None] = lambda _count: None,
) -> Reading:
    """Run the experiment and return its reading; a run of the same design that misses items is filled up.

    Raises `IncompleteRunError`, which names what is missing, if any item does not complete; what completed is kept.
    """
    run_id = ledger.begin(design, at=now())
    known = ledger.load(run_id).results
    judge = doors.judge.keeping(f"experiment-{run_id}") if isinstance(doors.judge, OpenAIJudge) else doors.judge
    doors = replace(doors, judge=judge)
    execute(design, doors, known=known, keep=lambda results: ledger.keep(run_id, results), advance=advance)
    if isinstance(judge, OpenAIJudge):
        judge.forget_answers()
    reading = read(ledger.load(run_id), settings, measure=measure)
    comparisons = [each for compared in reading.comparisons.values() for each in compared]
    ledger.finish(run_id, comparisons, at=now())
    return reading


def confirmations(ledger: Ledger, reading: Reading, *, present_harness: str | None = None) -> dict[str, Confirmation]:
    """Return for each strategy of a stored run what its favourable result is worth beside all other runs."""
    outcomes = ledger.outcomes()
    run = reading.stored.run
    return {
        each.strategy: confirmation_of(each, outcomes, present_harness=present_harness)
        for each in outcomes
        if each.run_id == run.run_id and each.measure == reading.measure
    }


def set_threshold(folder: Path, reading: Reading) -> Threshold:
    """Write the threshold that follows from a run's control into the set that it was measured on, and return it.

    Raises `ForeignThresholdError` for a set with other items than the run's.
    """
    dataset = load_usable(folder)
    threshold = threshold_from(reading, dataset.manifest)
    names = [ITEMS, *(each.file for each in dataset.manifest.collections.values())]
    files = {name: read_file(folder / name) for name in names}
    if (folder / NAMES).exists():
        files[NAMES] = read_file(folder / NAMES)
    described = replace(dataset.manifest, threshold=threshold)
    write_folder(folder, {**files, MANIFEST: manifest_file.encode(described)}, replace=True)
    return threshold


def compare_runs(ledger: Ledger, one: str, other: str, settings: Settings, *, measure: str | None = None) -> Comparison:
    """Compare two stored strategies, each named RUN:STRATEGY, item by item.

    Raises `DifferentItemsError` where they were not measured on the same items of one set, `DifferentInstrumentError`
    where not by the same harness, and `IncompleteRunError` for a run that misses items.
    """
    (first, control), (second, strategy) = (_named(ledger, name) for name in (one, other))
    for stored in (first, second):
        require_complete(stored)
    chosen = measure or primary_of(first)
    before, after = scores_of(first, chosen)[control], scores_of(second, chosen)[strategy]
    require_same(first, second, one, other)
    (compared,) = compare_all({one: before, other: after}, control=one, measure=chosen, settings=settings)
    return compared


def _named(ledger: Ledger, name: str) -> tuple[StoredRun, str]:
    prefix, _, strategy = name.partition(":")
    stored = ledger.load(prefix)
    known = [each.strategy for each in stored.strategies]
    if strategy not in known:
        raise UsageError(name, f"run {stored.run.run_id} has no strategy {strategy!r}", f"It has: {', '.join(known)}")
    return stored, strategy
