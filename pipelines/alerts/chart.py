"""The charts: a bet against "nothing has changed" in every slice, and one decision for all of them together.

A retrieval multiplies the stake by 1 + lambda*(share irrelevant - usual share - guard), which does not grow on average
while nothing has changed, whatever the size of retrievals and however their passages hang together. A Shiryaev-Roberts
score R = (R + 1)*e adds up the stakes laid on a change at each earlier night, for shifts of x1.2, x1.5 and x2 (an
e-detector: Shin, Ramdas, Rinaldo, arXiv 2203.03532). The weighted mean F of all slices' scores is such a score again,
under any dependence between them: at F >= 180 there are at least 180 nights between false alarms on average, where the
baselines are right. How it fares with estimated baselines is measured in `benchmarks/alerts.py`.
"""

import math
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from pipelines.alerts.baseline import Baseline
from pipelines.alerts.night import Floats, Ints, Night
from pipelines.alerts.slices import Leaf, Slice, slices_of

#: the alarm's threshold, in nights between false alarms
ALARM = 180.0
#: how much of F the named slices must explain
NAMED = 0.9
#: the shifts that are bet on
SHIFTS = np.array([1.2, 1.5, 2.0])
#: a bet stakes at most this share of what it could lose
_BOLDEST = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A baseline as arrays: the leaves that it knows, their slices, and the bets."""

    slices: tuple[Slice, ...]
    place: dict[Slice, int]
    rates: Floats
    guard: Floats
    tempering: Floats
    bets: Floats  # slices x shifts
    log_weight: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The score of every slice after a night; slices in the order of their baseline."""

    log_r: Floats  # slices x shifts; minus infinity before the first night
    run: Floats  # slices: evidence for x1.5 since it was last none
    since: Ints  # slices: ordinal of the first night of that run, 0 for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A slice that an alarm names: its part of F, and the first night of the present run of evidence."""

    slice: Slice
    part: float
    since: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a night did to the charts. `skipped` says why it did nothing: incomplete, other_judge, learning."""

    day: date
    skipped: str | None
    log_fleet: float
    named: tuple[Named, ...]
    log_score: Floats  # slices: log of the mean of R over shifts
    retrievals: Floats  # slices: that night

    @property
    def alarming(self) -> bool:
        """Whether F is at the threshold."""
        return self.log_fleet >= math.log(ALARM)


def layout(baseline: Baseline) -> Layout:
    """Turn a baseline into arrays."""
    rate, variance, guard, tempering, highest, weight = (
        np.array([getattr(each, name) for each in baseline.slices], dtype=float)
        for name in ("rate", "variance", "guard", "tempering", "highest", "weight")
    )
    slices = tuple(each.slice for each in baseline.slices)
    return Layout(
        slices=slices,
        place={each: i for i, each in enumerate(slices)},
        rates=rate,
        guard=guard,
        tempering=tempering,
        bets=bets(rate, variance, highest + guard),
        log_weight=np.log(weight),
    )


def bets(rate: Floats, variance: Floats, most_to_lose: Floats) -> Floats:
    """Return the stake for each slice and shift: near the best for that shift, and never able to lose all."""
    delta = rate[:, None] * (SHIFTS - 1)
    stakes: Floats = np.minimum(delta / (variance[:, None] + delta * delta), _BOLDEST / most_to_lose[:, None])
    return stakes


def start(layout: Layout) -> State:
    """Return scores of zero."""
    count = len(layout.slices)
    return State(
        log_r=np.full((count, len(SHIFTS)), -np.inf), run=np.zeros(count), since=np.zeros(count, dtype=np.int64)
    )


def carry(state: State, old: Layout, new: Layout) -> State:
    """Return the same scores for a layout with more slices; those that are new start at zero."""
    fresh = start(new)
    index = np.array([new.place[each] for each in old.slices], dtype=np.int64)
    fresh.log_r[index], fresh.run[index], fresh.since[index] = state.log_r, state.run, state.since
    return fresh


def advance(log_r: Floats, log_e: Floats) -> Floats:
    """Return the score after one more night: R = (R + 1)*e, in logarithms."""
    return np.logaddexp(log_r, 0.0) + log_e


def log_bets(
    layout: Layout, baseline: Baseline, leaves: tuple[Leaf, ...], leaf: Ints, shares: Floats
) -> tuple[Ints, Ints, Floats]:
    """Return the bets on rows: for each pair of a row and a slice that holds it the two, and its logs (pairs x shifts).

    Row i lies in `leaves[leaf[i]]` and has the share `shares[i]`. Rows in leaves without a baseline are in no pair.
    """
    expected = [baseline.expected(each) for each in leaves]
    member = [
        (i, layout.place[each])
        for i, known in enumerate(leaves)
        if expected[i] is not None
        for each in slices_of(known)
        if each in layout.place
    ]
    of_leaf, of_slice = np.array(member, dtype=np.int64).reshape(-1, 2).T
    first = np.searchsorted(of_leaf, leaf)
    many = np.searchsorted(of_leaf, leaf, side="right") - first
    row = np.repeat(np.arange(len(leaf)), many)
    pair = np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(first, many)
    slices = of_slice[pair]
    p0 = np.array([mean or 0.0 for mean in expected])
    surprise = shares[row] - p0[leaf[row]] - layout.guard[slices]
    return row, slices, np.log1p(layout.bets[slices] * surprise[:, None])


def update(layout: Layout, baseline: Baseline, state: State, night: Night) -> tuple[State, Decision]:
    """Take one more night into account.

    A night that is incomplete, or was judged by another judge than the baseline, changes nothing and says so; what was
    judged in it is counted all the same. A slice without retrievals that night keeps its score.
    """
    count = len(layout.slices)
    row, slices, logs = log_bets(layout, baseline, night.leaves, night.leaf, night.shares)
    times = night.count[row]
    retrievals = np.bincount(slices, weights=times, minlength=count).astype(float)
    skipped = _why_skipped(layout, baseline, night)
    if skipped:
        return state, _decide(layout, state, _quiet(night.day, retrievals, skipped), state.log_r)
    by_shift = [np.bincount(slices, weights=times * logs[:, j], minlength=count) for j in range(len(SHIFTS))]
    log_e: Floats = np.stack(by_shift, axis=1).astype(float) / layout.tempering[:, None]
    seen = retrievals > 0
    uncapped = np.where(seen[:, None], advance(state.log_r, log_e), state.log_r)
    run = np.where(seen, np.maximum(state.run + log_e[:, 1], 0.0), state.run)
    since = np.where(run > 0, np.where(state.run > 0, state.since, night.day.toordinal()), 0)
    after = State(log_r=uncapped, run=run, since=since.astype(np.int64))
    decision = _decide(layout, after, _quiet(night.day, retrievals, None), uncapped)
    if decision.alarming:
        # none needs to go on growing: what is capped here falls in a few nights when things are well again
        after = replace(after, log_r=np.minimum(uncapped, math.log(ALARM) - layout.log_weight[:, None]))
    return after, decision


def _why_skipped(layout: Layout, baseline: Baseline, night: Night) -> str | None:
    if not night.complete:
        return "incomplete"
    if not layout.slices:
        return "learning"
    return "other_judge" if night.instrument != baseline.instrument else None


def _quiet(day: date, retrievals: Floats, skipped: str | None) -> Decision:
    """Return a decision in which no score has grown."""
    nothing = np.full(len(retrievals), -np.inf)
    return Decision(day=day, skipped=skipped, log_fleet=-math.inf, named=(), log_score=nothing, retrievals=retrievals)


def _decide(layout: Layout, state: State, quiet: Decision, log_r: Floats) -> Decision:
    """Fill in the scores, and who is named."""
    if not layout.slices:
        return quiet
    log_score = _log_sum(log_r, axis=1) - math.log(len(SHIFTS))
    parts = log_score + layout.log_weight
    log_fleet = float(_log_sum(parts, axis=0))
    decision = replace(quiet, log_fleet=log_fleet, log_score=log_score)
    if not decision.alarming:
        return decision
    share = np.exp(parts - log_fleet)
    order = np.argsort(-share, kind="stable")
    enough = int(np.searchsorted(np.cumsum(share[order]), NAMED)) + 1
    named = tuple(
        Named(
            slice=layout.slices[i],
            part=float(share[i]),
            since=date.fromordinal(int(state.since[i])) if state.since[i] else None,
        )
        for i in order[:enough]
    )
    return replace(decision, named=named)


def _log_sum(logs: Floats, axis: int) -> Floats:
    total: Floats = np.logaddexp.reduce(logs, axis=axis)
    return total


def slice_states(layout: Layout, decision: Decision, *, instrument_moved: bool = False) -> list[str]:
    """Return for each slice: no_data, ok, rising, alarming or instrument_moved.

    Rising is a slice whose own score is at the threshold while the fleet's is not: alone it would call.
    """
    named = {each.slice for each in decision.named}
    states = []
    for i, each in enumerate(layout.slices):
        loud = each in named or decision.log_score[i] >= math.log(ALARM)
        if loud:
            states.append("instrument_moved" if instrument_moved else "alarming" if each in named else "rising")
        else:
            states.append("ok" if decision.retrievals[i] > 0 else "no_data")
    return states
