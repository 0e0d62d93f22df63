"""Strategies against the control, paired by item: how large the difference is, how sure, and what may be said of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from pipelines.errors import NightcheckError
from pipelines.experiments.statistics import clusters, contrast, multiplicity, paired, power
from pipelines.experiments.statistics.clusters import Interval, Method
from pipelines.experiments.statistics.contrast import Contrast
from pipelines.experiments.statistics.paired import TIE, Numbers, Tally

#: level of tests and (one less it) of intervals
ALPHA = 0.05


class Outcome(StrEnum):
    """What a comparison allows one to say."""

    BETTER = "better"
    WORSE = "worse"
    #: no difference larger than the margin
    EQUIVALENT = "equivalent"
    #: no difference that this set could show
    UNRESOLVED = "unresolved"
    #: what must not move moved as far as the effect: the difference is the instrument's
    CONTROL_MOVED = "control moved"


class DifferentItemsError(NightcheckError):
    """Two strategies that were not measured on the same items cannot be compared item by item."""

    def __init__(self, one: str, other: str, only_one: Sequence[str], only_other: Sequence[str]) -> None:
        named = ", ".join([*only_one, *only_other][:3]) or "the same ids, with other contents"
        super().__init__(
            f"{other} against {one}",
            f"their items differ ({len(only_one)} only in the first, {len(only_other)} only in the second: {named})",
            "Run both in one experiment, on one version of one set",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One item's score under one strategy; `value` is None where the item cannot be scored under any."""

    value: float | None
    cluster: str
    fired: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The mean difference over some of the items."""

    items: int
    mean: float
    low: float
    high: float
    moved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a comparison is computed. `margin` is the largest difference that one would not care about."""

    seed: int = 20261130
    resamples: int = 10_000
    margin: float = 0.02
    method: Method = Method.BCA


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One strategy against the control on one measure.

    `within` is the smallest margin that the data support: the true difference is inside ± `within` with 95 % confidence
    (two one-sided tests). `smallest_detectable` is what so many items of this spread show with a power of 80 %;
    `power_for_margin` is the chance that they show a difference of the margin, and `items_for_margin` how many items
    of this spread would show it with that power.
    `p_permutation` flips whole clusters; `p_sign` takes items to be independent; `p_holm` corrects the former for all
    strategies of the run. `floor` is the furthest that the control moved from itself.
    """

    strategy: str
    measure: str
    items: int
    clusters: int
    control_mean: float
    mean: float
    difference: float
    interval: Interval | None
    se: float | None
    within: float | None
    smallest_detectable: float | None
    power_for_margin: float | None
    items_for_margin: float | None
    tally: Tally
    p_sign: float
    p_permutation: float
    p_holm: float
    fired: Part | None
    declined: Part | None
    adjusted: Contrast | None
    outcome: Outcome


def compare_all(
    scores: Mapping[str, Mapping[str, Score]],
    *,
    control: str,
    measure: str,
    settings: Settings,
    floor: float = 0.0,
) -> list[Comparison]:
    """Compare every strategy with the control, in the given order, with Holm's correction over all of them.

    `scores` holds every strategy's scores by item. An item without a value under any strategy is left out of all.
    Raises `DifferentItemsError` where the strategies were not measured on the same items.
    """
    for name, found in scores.items():
        if found.keys() != scores[control].keys():
            raise DifferentItemsError(
                control,
                name,
                sorted(scores[control].keys() - found.keys()),
                sorted(found.keys() - scores[control].keys()),
            )
    items = [
        item for item in sorted(scores[control]) if all(found[item].value is not None for found in scores.values())
    ]
    compared = [
        _compare(name, measure, [(scores[control][item], found[item]) for item in items], settings)
        for name, found in scores.items()
        if name != control and items
    ]
    adjusted = multiplicity.holm([each.p_permutation for each in compared])
    return [
        replace(each, p_holm=p, outcome=_outcome(replace(each, p_holm=p), settings, floor))
        for each, p in zip(compared, adjusted, strict=True)
    ]


def part_of(
    before: Mapping[str, Score], after: Mapping[str, Score], items: Iterable[str], settings: Settings
) -> Part | None:
    """Return the mean difference over those of the items that have both values; None where not one has."""
    both = sorted(
        item for item in items if item in after and before[item].value is not None and after[item].value is not None
    )
    if not both:
        return None
    return _part(
        [_value(after[item]) - _value(before[item]) for item in both], [before[item].cluster for item in both], settings
    )


def furthest(part: Part | None) -> float:
    """Return the end of a part's interval that is further from zero; 0 without one."""
    return 0.0 if part is None else max(abs(part.low), abs(part.high))


def _compare(name: str, measure: str, pairs: Sequence[tuple[Score, Score]], settings: Settings) -> Comparison:
    before = np.array([_value(one) for one, _ in pairs])
    after = np.array([_value(other) for _, other in pairs])
    differences: Numbers = np.where(np.abs(after - before) <= TIE, 0.0, after - before)
    groups = [one.cluster for one, _ in pairs]
    interval = _interval(differences, groups, settings)
    ninety = _interval(differences, groups, settings, confidence=1 - 2 * ALPHA)
    tally = paired.tally(differences)
    se = clusters.standard_error(differences, groups)
    spread = None if se is None else se * float(np.sqrt(len(pairs)))  # as if items were independent with this error
    p = clusters.permutation_test(differences, groups, seed=settings.seed, resamples=settings.resamples)
    fired = np.array([other.fired for _, other in pairs])
    return Comparison(
        strategy=name,
        measure=measure,
        items=len(pairs),
        clusters=len(set(groups)),
        control_mean=float(before.mean()),
        mean=float(after.mean()),
        difference=float(differences.mean()),
        interval=interval,
        se=se,
        within=None if ninety is None else max(abs(ninety.low), abs(ninety.high)),
        smallest_detectable=None if spread is None else power.smallest_detectable(len(pairs), spread),
        power_for_margin=None if spread is None else power.power_of(len(pairs), spread, settings.margin),
        items_for_margin=None if not spread else power.items_needed(spread, settings.margin),
        tally=tally,
        p_sign=paired.sign_test(tally.wins, tally.losses),
        p_permutation=p,
        p_holm=p,
        fired=_part_of(differences, groups, fired, settings),
        declined=_part_of(differences, groups, ~fired, settings),
        adjusted=contrast.control_adjusted(differences[fired], differences[~fired]),
        outcome=Outcome.UNRESOLVED,
    )


def _outcome(compared: Comparison, settings: Settings, floor: float) -> Outcome:
    interval = compared.interval
    if interval is None:
        return Outcome.UNRESOLVED
    excludes_zero = interval.low > 0 or interval.high < 0
    if excludes_zero and compared.p_holm < ALPHA and abs(compared.difference) > floor:
        if _control_moved(compared):
            return Outcome.CONTROL_MOVED
        return Outcome.BETTER if compared.difference > 0 else Outcome.WORSE
    if compared.within is not None and compared.within <= settings.margin:
        return Outcome.EQUIVALENT
    return Outcome.UNRESOLVED


def _control_moved(compared: Comparison) -> bool:
    """Say whether the declined items moved as far as the fired ones, or further than chance."""
    declined, fired = compared.declined, compared.fired
    if declined is None or not declined.moved:
        return False
    effect = fired.mean if fired is not None else compared.difference
    return abs(declined.mean) >= abs(effect) or declined.low > 0 or declined.high < 0


def _part_of(differences: Numbers, groups: Sequence[str], chosen: Numbers, settings: Settings) -> Part | None:
    places = [int(place) for place in np.flatnonzero(chosen)]
    if not places:
        return None
    return _part(differences[places], [groups[place] for place in places], settings)


def _part(differences: Sequence[float] | Numbers, groups: Sequence[str], settings: Settings) -> Part:
    values = np.asarray(differences, dtype=np.float64)
    interval = _interval(values, groups, settings)
    mean = float(values.mean())
    return Part(
        items=len(values),
        mean=mean,
        low=mean if interval is None else interval.low,
        high=mean if interval is None else interval.high,
        moved=int((np.abs(values) > TIE).sum()),
    )


def _interval(
    values: Numbers, groups: Sequence[str], settings: Settings, *, confidence: float = 1 - ALPHA
) -> Interval | None:
    return clusters.bootstrap_interval(
        values,
        groups,
        seed=settings.seed,
        resamples=settings.resamples,
        method=settings.method,
        confidence=confidence,
    )


def _value(score: Score) -> float:
    if score.value is None:
        msg = "an item without a value was not left out"
        raise ValueError(msg)
    return score.value
