"""A stored run, read: every strategy against the control, by measure and turn type, with its cost and its controls."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.comparison import Comparison, Part, Score, Settings, compare_all, furthest, part_of
from pipelines.experiments.metrics.judged import JUDGED
from pipelines.experiments.metrics.ranked import FIRST_RELEVANT, RANKED
from pipelines.experiments.record import StoredRun, require_complete
from pipelines.experiments.result import Result
from pipelines.experiments.side_effects import Cost, Moved, Places, by_strategy, cost_of, moved_by, places_of
from pipelines.experiments.statistics.contrast import pooled_effect
from pipelines.experiments.statistics.threshold import Line, one_se_below
from pipelines.experiments.statistics.variance import Components, components

#: which measure a verdict is read from, the first that a run has
_PRIMARY = ("nDCG@5", "sufficient", "useful")
#: tags that are no turn type, and a slice smaller than this says nothing
_NOT_TYPES = ("question:", "answer:")
_SMALLEST_SLICE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """The effect on items that were added to the set, on those that an earlier run had, and on both together."""

    added: Part
    earlier: Part
    pooled: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that a report shows of one complete run."""

    stored: StoredRun
    settings: Settings
    measure: str
    comparisons: Mapping[str, Sequence[Comparison]]
    floors: Mapping[str, Part | None]
    slices: Mapping[str, Sequence[Comparison]]
    costs: Mapping[str, Cost]
    places: Mapping[str, Places]
    moved: Mapping[str, Moved]
    variance: Mapping[str, Components]
    #: of the variance between the control's items, what re-running adds; None where it was not run again
    rerun_share: float | None
    #: over the items that no earlier run of this set had, where some were added since
    fresh: Mapping[str, Fresh]
    differences: Mapping[str, Sequence[float]]
    line: Line | None
    scored: int
    unscored: Mapping[str, int]

    @property
    def primary(self) -> Sequence[Comparison]:
        """Return the comparisons on the measure that the verdict is read from."""
        return self.comparisons[self.measure]


def measures_of(stored: StoredRun) -> list[str]:
    """Return the measures that a run has, in the order of a report."""
    found = {
        measure for result in stored.results.values() for measure, score in result.scores.items() if score is not None
    }
    return [measure for measure in (*RANKED, *JUDGED) if measure in found]


def primary_among(measures: Collection[str]) -> str | None:
    """Return which of these measures verdicts are read from, None where it is none of them."""
    return next((measure for measure in _PRIMARY if measure in measures), None)


def primary_of(stored: StoredRun) -> str:
    """Return the measure that a run's verdicts are read from; raises `NightcheckError` where nothing was scored."""
    found = primary_among(measures_of(stored))
    if found is not None:
        return found
    raise NightcheckError(f"run {stored.run.run_id}", "not one item is scored", "Use a set with labels, or a judge")


def read(stored: StoredRun, settings: Settings, *, measure: str | None = None) -> Reading:
    """Compare all strategies of a run. Raises `IncompleteRunError` for a run that misses items."""
    require_complete(stored)
    measures = [each for each in measures_of(stored) if each != FIRST_RELEVANT]
    chosen = measure or primary_of(stored)
    if chosen not in measures:
        raise UsageError(f"measure {chosen}", f"run {stored.run.run_id} has none", f"It has: {', '.join(measures)}")
    floors = {each: _floor(stored, each, settings) for each in measures}
    compared = {
        each: compare_all(
            scores_of(stored, each),
            control=stored.run.control,
            measure=each,
            settings=settings,
            floor=furthest(floors[each]),
        )
        for each in measures
    }
    table = scores_of(stored, chosen)
    control = [score.value for score in table[stored.run.control].values() if score.value is not None]
    return Reading(
        stored=stored,
        settings=settings,
        measure=chosen,
        comparisons=compared,
        floors=floors,
        slices=_slices(stored, table, chosen, settings, furthest(floors.get(chosen))),
        costs={name: cost_of(results) for name, results in by_strategy(stored).items()},
        places={name: places_of(results) for name, results in by_strategy(stored).items()},
        moved=moved_by(stored),
        variance=_variance(stored, chosen),
        rerun_share=_rerun_share(stored, chosen),
        fresh=_fresh(stored, table, settings),
        differences=_differences(table, stored.run.control),
        line=one_se_below(control) if len(control) > 1 else None,
        scored=len(control),
        unscored=Counter(result.unscored for result in _of_control(stored) if result.unscored),
    )


def scores_of(stored: StoredRun, measure: str, *, only: frozenset[str] | None = None) -> dict[str, dict[str, Score]]:
    """Return every strategy's score of every item, averaged over the run's repetitions."""
    table: dict[str, dict[str, Score]] = {}
    for strategy in stored.strategies:
        table[strategy.strategy] = {}
        for item in stored.items:
            if only is not None and item.item_id not in only:
                continue
            results = [
                result
                for repetition in range(stored.run.repetitions)
                if (result := stored.results.get((strategy.strategy, item.item_id, repetition))) is not None
            ]
            if not results:
                continue
            values = [value for result in results if (value := result.scores.get(measure)) is not None]
            table[strategy.strategy][item.item_id] = Score(
                value=float(np.mean(values)) if len(values) == len(results) else None,
                cluster=item.cluster,
                fired=any(result.fired for result in results),
            )
    return table


def _of_control(stored: StoredRun) -> list[Result]:
    return [result for (name, _, again), result in stored.results.items() if name == stored.run.control and again == 0]


def _floor(stored: StoredRun, measure: str, settings: Settings) -> Part | None:
    first, again = (
        {
            item.item_id: Score(value=result.scores.get(measure), cluster=item.cluster)
            for item in stored.items
            if (result := stored.results.get((stored.run.control, item.item_id, repetition))) is not None
        }
        for repetition in (0, 1)
    )
    return part_of(first, again, list(first), settings)


def _slices(
    stored: StoredRun, table: Mapping[str, Mapping[str, Score]], measure: str, settings: Settings, floor: float
) -> dict[str, Sequence[Comparison]]:
    scorable = {item for item, score in table[stored.run.control].items() if score.value is not None}
    tagged: dict[str, set[str]] = {}
    for item in stored.items:
        for tag in item.tags:
            if item.item_id in scorable and not tag.startswith(_NOT_TYPES):
                tagged.setdefault(tag, set()).add(item.item_id)
    return {
        tag: compare_all(
            {name: {item: scores[item] for item in items} for name, scores in table.items()},
            control=stored.run.control,
            measure=measure,
            settings=settings,
            floor=floor,
        )
        for tag, items in sorted(tagged.items())
        if _SMALLEST_SLICE <= len(items) < len(scorable)
    }


def _variance(stored: StoredRun, measure: str) -> dict[str, Components]:
    """Split the variance of the differences, where everything was run more than once."""
    if stored.run.repetitions < 2:
        return {}
    split = {}
    for strategy in stored.strategies:
        if strategy.strategy == stored.run.control:
            continue
        rows = [
            [
                _difference(stored, strategy.strategy, item.item_id, repetition, measure)
                for repetition in range(stored.run.repetitions)
            ]
            for item in stored.items
        ]
        complete = [[cell for cell in row if cell is not None] for row in rows]
        complete = [row for row in complete if len(row) == stored.run.repetitions]
        if len(complete) > 1:
            split[strategy.strategy] = components(complete)
    return split


def _rerun_share(stored: StoredRun, measure: str) -> float | None:
    rows = []
    for item in stored.items:
        cells = [stored.results.get((stored.run.control, item.item_id, again)) for again in (0, 1)]
        values = [None if cell is None else cell.scores.get(measure) for cell in cells]
        if None not in values:
            rows.append([value for value in values if value is not None])
    if len(rows) < 2:
        return None
    split = components(rows)
    whole = split.var_between + split.var_within
    return split.var_within / whole if whole else 0.0


def _fresh(stored: StoredRun, table: Mapping[str, Mapping[str, Score]], settings: Settings) -> dict[str, Fresh]:
    """Compare on added items alone, where an earlier run of the set had some of these items and not all of them."""
    control = table[stored.run.control]
    found = {}
    for name, scores in table.items():
        added, earlier = (
            part_of(control, scores, [item for item in scores if (item in stored.seen) is seen], settings)
            for seen in (False, True)
        )
        if name != stored.run.control and added is not None and earlier is not None:
            pooled = pooled_effect([(part.items, part.mean) for part in (added, earlier)])
            found[name] = Fresh(added=added, earlier=earlier, pooled=pooled)
    return found


def _difference(stored: StoredRun, strategy: str, item_id: str, repetition: int, measure: str) -> float | None:
    one = stored.results[stored.run.control, item_id, repetition].scores.get(measure)
    other = stored.results[strategy, item_id, repetition].scores.get(measure)
    return None if one is None or other is None else other - one


def _differences(table: Mapping[str, Mapping[str, Score]], control: str) -> dict[str, Sequence[float]]:
    """Return every strategy's paired differences, the largest loss first."""
    return {
        name: sorted(
            score.value - before.value
            for item, score in scores.items()
            if (before := table[control][item]).value is not None and score.value is not None
        )
        for name, scores in table.items()
        if name != control
    }
