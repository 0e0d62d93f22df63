"""What a strategy does besides moving a score: its cost, the place of the first relevant passage, what it displaces."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from pipelines.experiments.metrics.ranked import FIRST_RELEVANT
from pipelines.experiments.record import StoredRun
from pipelines.experiments.result import Result
from pipelines.experiments.retrievers import displacement


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a strategy adds to one turn on average, and how often it acts. Tokens and time are None where unknown."""

    calls: float
    prompt_tokens: float | None
    completion_tokens: float | None
    latency_ms: float | None
    fired: int
    skipped: int
    cleaned: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the first relevant passage stands: its median place where one is found, and the share where none is."""

    median: float | None
    not_found: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Passages of the control's answers that a strategy pushed out, over all items, and what came instead."""

    displaced: int
    entered: int
    relevant_displaced: int
    relevant_entered: int


def by_strategy(stored: StoredRun) -> dict[str, list[Result]]:
    """Return the results of each strategy, without what was run again for its noise alone."""
    found: dict[str, list[Result]] = {each.strategy: [] for each in stored.strategies}
    for (name, _, repetition), result in stored.results.items():
        if repetition < stored.run.repetitions:
            found[name].append(result)
    return found


def cost_of(results: Sequence[Result]) -> Cost:
    """Return what a strategy adds to a turn, of its results."""
    return Cost(
        calls=float(np.mean([result.calls for result in results])),
        prompt_tokens=_mean([result.prompt_tokens for result in results]),
        completion_tokens=_mean([result.completion_tokens for result in results]),
        latency_ms=_mean([result.latency_ms for result in results]),
        fired=sum(result.fired for result in results),
        skipped=sum(result.skipped for result in results),
        cleaned=dict(Counter(finding for result in results for finding in result.findings)),
    )


def places_of(results: Sequence[Result]) -> Places:
    """Return where the first relevant passage stands, of a strategy's results."""
    found = [result.scores[FIRST_RELEVANT] for result in results if FIRST_RELEVANT in result.scores]
    known = [place for place in found if place is not None]
    return Places(
        median=float(median(known)) if known else None, not_found=1 - len(known) / len(found) if found else 0.0
    )


def moved_by(stored: StoredRun) -> dict[str, Moved]:
    """Return what every strategy pushed out of the control's answers."""
    moved = {}
    for strategy in stored.strategies:
        if strategy.strategy == stored.run.control:
            continue
        found = [
            displacement(
                stored.results[stored.run.control, item.item_id, 0].passage_ids,
                stored.results[strategy.strategy, item.item_id, 0].passage_ids,
                item.relevant,
            )
            for item in stored.items
        ]
        moved[strategy.strategy] = Moved(
            displaced=sum(len(each.displaced) for each in found),
            entered=sum(len(each.entered) for each in found),
            relevant_displaced=sum(each.relevant_displaced for each in found),
            relevant_entered=sum(each.relevant_entered for each in found),
        )
    return moved


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
