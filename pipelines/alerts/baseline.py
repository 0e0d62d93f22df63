"""What is usual: the means of the leaves and the spread of the slices, measured once and then frozen.

A baseline that moves with the traffic absorbs the very shift that it should show; so it stays until someone accepts a
new one. Only what is new to it (a new tenant, another kind of passage) is added, when it has been seen long enough.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

import numpy as np

from pipelines.alerts.night import Floats, Night
from pipelines.alerts.slices import Leaf, Slice, slices_of

#: nights that a baseline is made from: at most, and at least
MOST_NIGHTS, LEAST_NIGHTS = 56, 28
#: retrievals that a mean needs; a leaf with fewer has the mean of its tenant and kind
LEAST_RETRIEVALS = 20
#: how many standard errors the baseline is given the benefit of: it is an estimate too
GUARD = 1.645

Parent = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceBaseline:
    """What is usual in a slice: mean share of irrelevant passages of a retrieval, and how it spreads."""

    slice: Slice
    rate: float
    variance: float  # of a retrieval's share, within leaves
    guard: float
    tempering: float  # variance between nights over what retrievals alone explain; at least 1
    highest: float  # mean of the leaf with the highest
    retrievals: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What is usual; without slices while there are too few nights. `nights` were looked at, from `first` to `last`."""

    instrument: str
    first: date | None
    last: date | None
    nights: int
    leaves: Mapping[Leaf, float]
    parents: Mapping[Parent, float]
    slices: tuple[SliceBaseline, ...]

    def expected(self, leaf: Leaf) -> float | None:
        """Return the usual mean share of the leaf, or of its tenant and kind; None where neither is known."""
        return self.leaves.get(leaf, self.parents.get((leaf.tenant, leaf.kind)))


NOTHING_USUAL = Baseline(instrument="", first=None, last=None, nights=0, leaves={}, parents={}, slices=())


def baseline(history: Sequence[Night], *, frozen: Baseline = NOTHING_USUAL) -> Baseline:
    """Measure what is usual over the last whole weeks of `history` (sorted by day), of the last night's judge.

    What `frozen` knows stays as it is; what it does not know is added. Tenants with fewer than 28 complete nights since
    they were first seen, and kinds with fewer than 20 retrievals, are left out.
    """
    nights = _window(history)
    if len(nights) < LEAST_NIGHTS:
        return frozen if frozen.slices else replace(NOTHING_USUAL, nights=len(nights))
    sums = _LeafSums.over(nights)
    parents = {**_parents(sums), **frozen.parents}
    own = {
        leaf: mean for leaf, mean, n in sums.means() if n >= LEAST_RETRIEVALS and (leaf.tenant, leaf.kind) in parents
    }
    fresh = Baseline(
        instrument=nights[-1].instrument,
        first=nights[0].day,
        last=nights[-1].day,
        nights=len(nights),
        leaves={**own, **frozen.leaves},
        parents=parents,
        slices=(),
    )
    known = {each.slice: each for each in frozen.slices}
    measured = {each.slice: each for each in _measure(sums, fresh)}
    merged = [
        _keep(known[each], measured.get(each)) if each in known else measured[each] for each in {**known, **measured}
    ]
    return replace(fresh, slices=_weighted(sorted(merged, key=lambda each: each.slice)))


def _keep(known: SliceBaseline, measured: SliceBaseline | None) -> SliceBaseline:
    """Keep what is frozen; only the bound on the bets must see leaves that have joined."""
    return known if measured is None else replace(known, highest=max(known.highest, measured.highest))


def _window(history: Sequence[Night]) -> list[Night]:
    """Return the complete nights of the last whole weeks, at most eight, that the last night's judge judged."""
    usable = [night for night in history if night.complete and night.instrument == history[-1].instrument]
    if not usable:
        return []
    last = usable[-1].day
    days = min(((last - usable[0].day).days + 1) // 7 * 7, MOST_NIGHTS)
    return [night for night in usable if night.day > last - timedelta(days=days)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _LeafSums:
    """Sums of retrievals' shares by night and leaf."""

    leaves: tuple[Leaf, ...]
    count: Floats  # nights x leaves
    share: Floats
    square: Floats
    passages: Floats  # leaves

    @classmethod
    def over(cls, nights: Sequence[Night]) -> "_LeafSums":
        leaves = tuple(sorted({leaf for night in nights for leaf in night.leaves}))
        place = {leaf: i for i, leaf in enumerate(leaves)}
        shape = (len(nights), len(leaves))
        count, share, square, passages = (np.zeros(shape) for _ in range(4))
        for i, night in enumerate(nights):
            columns = np.array([place[leaf] for leaf in night.leaves], dtype=np.int64)[night.leaf]
            x = night.shares
            for sums, values in ((count, 1.0), (share, x), (square, x * x), (passages, night.judged)):
                np.add.at(sums[i], columns, night.count * values)
        return cls(leaves=leaves, count=count, share=share, square=square, passages=passages.sum(axis=0))

    def means(self) -> list[tuple[Leaf, float, int]]:
        """Return the mean share and the number of retrievals of each leaf."""
        n, share = self.count.sum(axis=0), self.share.sum(axis=0)
        means = _at_least_half_a_passage(share / np.maximum(n, 1), self.passages)
        return list(zip(self.leaves, means.tolist(), n.astype(int).tolist(), strict=True))


def _at_least_half_a_passage(rate: Floats, passages: Floats) -> Floats:
    """Return rates above zero: where nothing was ever irrelevant, a bet on a multiple of nothing would never pay."""
    return np.maximum(rate, 0.5 / (passages + 1))


def _parents(sums: _LeafSums) -> dict[Parent, float]:
    """Return the mean share of each tenant and kind that was seen long and often enough."""
    nights = len(sums.count)
    seen_from: dict[str, int] = {}
    for i, leaf in enumerate(sums.leaves):
        first = int(np.argmax(sums.count[:, i] > 0))
        seen_from[leaf.tenant] = min(first, seen_from.get(leaf.tenant, nights))
    parents = {}
    for parent, group in groupby(range(len(sums.leaves)), key=lambda i: (sums.leaves[i].tenant, sums.leaves[i].kind)):
        columns = list(group)
        n = sums.count[:, columns].sum()
        if n >= LEAST_RETRIEVALS and nights - seen_from[parent[0]] >= LEAST_NIGHTS:
            rate = np.array(sums.share[:, columns].sum() / n)
            parents[parent] = float(_at_least_half_a_passage(rate, np.array(sums.passages[columns].sum())))
    return parents


def _measure(sums: _LeafSums, means: Baseline) -> list[SliceBaseline]:
    """Measure every slice of the leaves whose mean is known."""
    expected = [means.expected(leaf) for leaf in sums.leaves]
    pairs = sorted(
        (each, i) for i, leaf in enumerate(sums.leaves) if expected[i] is not None for each in slices_of(leaf)
    )
    if not pairs:
        return []
    slices = [each for each, _ in groupby(pair[0] for pair in pairs)]
    starts = np.array([i for i, pair in enumerate(pairs) if i == 0 or pairs[i - 1][0] != pair[0]], dtype=np.int64)
    columns = np.array([i for _, i in pairs], dtype=np.int64)
    p0 = np.array([mean or 0.0 for mean in expected])

    def by_slice(values: Floats) -> Floats:
        """Sum over leaves, which are the last axis."""
        summed: Floats = np.add.reduceat(values[..., columns], starts, axis=-1)
        return summed

    n_leaf, share = sums.count.sum(axis=0), sums.share.sum(axis=0)
    within = sums.square.sum(axis=0) - share * share / np.maximum(n_leaf, 1)
    n, passages = by_slice(n_leaf), by_slice(sums.passages)
    rate = _at_least_half_a_passage(by_slice(share) / n, passages)
    variance = by_slice(within) / np.maximum(n - by_slice((n_leaf > 0).astype(float)), 1)
    # retrievals that happen to be all alike have some spread all the same: half of what independent passages would show
    least = np.maximum(1 - rate, 0.5 / (passages + 1))
    variance = np.maximum(variance, rate * least * n / passages / 2)
    night_n, night_sum = by_slice(sums.count), by_slice(sums.share - sums.count * p0)
    tempering = _tempering(night_n, night_sum, variance)
    guard = GUARD * np.sqrt(variance / n)
    highest = np.maximum.reduceat(p0[columns], starts)
    return [
        SliceBaseline(
            slice=each,
            rate=float(rate[i]),
            variance=float(variance[i]),
            guard=float(guard[i]),
            tempering=float(tempering[i]),
            highest=float(highest[i]),
            retrievals=int(n[i]),
            weight=0.0,
        )
        for i, each in enumerate(slices)
        if n[i] >= LEAST_RETRIEVALS
    ]


def _tempering(n: Floats, residual: Floats, variance: Floats) -> Floats:
    """Return by slice how much more its nights differ than their retrievals explain, at least 1."""
    seen = n > 0
    z = np.where(seen, residual / np.sqrt(np.maximum(n, 1) * variance), 0.0)
    nights = np.maximum(seen.sum(axis=0), 2)
    deviations = np.where(seen, z - z.sum(axis=0) / nights, 0.0)
    tempering: Floats = np.maximum((deviations * deviations).sum(axis=0) / (nights - 1), 1.0)
    return tempering


def _weighted(slices: Sequence[SliceBaseline]) -> tuple[SliceBaseline, ...]:
    """Give the slices of each group the same share: a third for the fleet, for tenant x kind, and for the rest."""
    groups = [each.slice.share_of for each in slices]
    size = {group: groups.count(group) for group in groups}
    return tuple(replace(each, weight=1 / len(size) / size[group]) for each, group in zip(slices, groups, strict=True))
