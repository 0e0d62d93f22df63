"""What is usual."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from pipelines.alerts.baseline import GUARD, baseline
from pipelines.alerts.night import Row, night_of
from pipelines.alerts.slices import ANY, Leaf, Slice
from tests.alerts.build import COMBINED, DOCUMENTS, OTHERS, SNIPPETS, a_night, day, nights

RATES = {DOCUMENTS: 0.3, SNIPPETS: 0.17}


def test_there_is_no_baseline_before_28_nights() -> None:
    """Fewer nights say how many there were."""
    rng = np.random.default_rng(1)

    few, enough = baseline(nights(range(27), RATES, rng)), baseline(nights(range(28), RATES, rng))

    assert (few.nights, few.slices) == (21, ())
    assert enough.nights == 28
    assert enough.slices


def test_a_baseline_is_of_the_last_whole_weeks() -> None:
    """At most eight, so that every weekday counts the same."""
    history = nights(range(100), RATES, np.random.default_rng(2))

    eight, five = baseline(history), baseline(history[:38])

    assert (eight.nights, eight.first, eight.last) == (56, day(44), day(99))
    assert (five.nights, five.first) == (35, day(3))


def test_means_and_spread_are_those_of_retrievals() -> None:
    """By hand: 28 nights of the shares 0, 0.4 and 0.8."""
    rows = [Row(leaf=DOCUMENTS, judged=5, irrelevant=y, count=1) for y in (0, 2, 4)]

    usual = baseline([night_of(day(i), rows) for i in range(28)])

    (one,) = (each for each in usual.slices if each.slice == Slice("acme.example", "document", ANY))
    assert usual.expected(DOCUMENTS) == pytest.approx(0.4)
    assert one.rate == pytest.approx(0.4)
    assert (one.retrievals, one.tempering) == (84, 1.0)
    assert one.variance == pytest.approx(28 * 0.32 / 83)
    assert one.guard == pytest.approx(GUARD * (28 * 0.32 / 83 / 84) ** 0.5)
    assert one.highest == pytest.approx(0.4)


def test_spread_is_that_within_leaves() -> None:
    """Two leaves that differ, and do not vary: no more spread than a floor."""
    rows = [
        Row(leaf=DOCUMENTS, judged=5, irrelevant=1, count=10),
        Row(leaf=COMBINED, judged=5, irrelevant=3, count=10),
    ]

    usual = baseline([night_of(day(i), rows) for i in range(28)])

    (both,) = (each for each in usual.slices if each.slice == Slice("acme.example", "document", ANY))
    assert both.variance == pytest.approx(0.4 * 0.6 / 5 / 2)


def test_nights_that_differ_more_than_their_retrievals_explain_are_tempered() -> None:
    """A rate that swings from night to night is not mistaken for a change."""
    rng = np.random.default_rng(3)
    steady = baseline(nights(range(56), RATES, rng, retrievals=100))
    swinging = baseline([a_night(i, {DOCUMENTS: rng.uniform(0.2, 0.4)}, rng, retrievals=100) for i in range(56)])

    def tempering(usual: object, at: Slice) -> float:
        return next(each.tempering for each in usual.slices if each.slice == at)  # type: ignore[attr-defined,no-any-return]

    documents = Slice("acme.example", "document", ANY)
    assert tempering(steady, documents) < 1.6
    assert tempering(swinging, documents) > 3


def test_a_leaf_with_few_retrievals_has_the_mean_of_its_tenant_and_kind() -> None:
    """Nineteen are too few for a mean of their own, twenty are enough."""
    usual_rows = [Row(leaf=DOCUMENTS, judged=5, irrelevant=1, count=10)]
    with_combined = [*usual_rows, Row(leaf=COMBINED, judged=5, irrelevant=5, count=1)]
    history = [night_of(day(i), with_combined if i < 19 else usual_rows) for i in range(28)]
    more = [*history[:-1], night_of(day(27), with_combined)]

    few, enough = baseline(history), baseline(more)

    assert few.expected(COMBINED) == pytest.approx((280 * 0.2 + 19) / 299)
    assert enough.expected(COMBINED) == pytest.approx(1.0)
    assert enough.expected(Leaf("acme.example", "graph", "first")) is None


def test_what_was_never_irrelevant_may_still_become_so() -> None:
    """A usual rate of zero is half a passage of all there were, or a rise could never be called."""
    usual = baseline([night_of(day(i), [Row(leaf=DOCUMENTS, judged=5, irrelevant=0, count=10)]) for i in range(28)])

    assert usual.expected(DOCUMENTS) == pytest.approx(0.5 / 1401)
    assert all(each.variance > 0 and each.rate > 0 for each in usual.slices)


def test_weights_are_thirds_shared_within_each_group() -> None:
    """Fleet, tenant x kind, and the rest."""
    usual = baseline(nights(range(28), RATES | {OTHERS: 0.3, COMBINED: 0.3}, np.random.default_rng(4)))

    total: dict[str, float] = {}
    for each in usual.slices:
        total[each.slice.share_of] = total.get(each.slice.share_of, 0.0) + each.weight

    assert total == pytest.approx({"fleet": 1 / 3, "tenant_kind": 1 / 3, "rest": 1 / 3})
    assert len({each.slice for each in usual.slices}) == len(usual.slices)


def test_incomplete_nights_and_other_judges_are_not_usual() -> None:
    """They are not looked at."""
    rng = np.random.default_rng(5)
    good = nights(range(28, 56), RATES, rng)
    mixed = [
        *nights(range(14), dict.fromkeys(RATES, 0.9), rng),
        *(replace(night, complete=False) for night in nights(range(14, 28), dict.fromkeys(RATES, 0.9), rng)),
        *good,
    ]
    other = [replace(night, instrument="old") for night in mixed[:14]] + mixed[14:]

    assert baseline(other).leaves == baseline(good).leaves


def test_what_is_frozen_stays_and_what_is_new_joins() -> None:
    """A tenant that came later gets a baseline; those of the others do not move."""
    rng = np.random.default_rng(6)
    old = baseline(nights(range(28), RATES, rng))
    later = nights(range(28, 56), dict.fromkeys(RATES, 0.6) | {OTHERS: 0.3}, rng)

    joined = baseline(later, frozen=old)

    assert {leaf: joined.leaves[leaf] for leaf in RATES} == old.leaves
    assert joined.expected(OTHERS) == pytest.approx(0.3, abs=0.05)
    before = {each.slice: each for each in old.slices}
    after = {each.slice: each for each in joined.slices}
    assert all(after[each].rate == before[each].rate and after[each].guard == before[each].guard for each in before)
    assert Slice("other.example", "document", ANY) in after
    assert sum(each.weight for each in joined.slices) == pytest.approx(1)


def test_a_tenant_that_has_just_come_is_not_judged_by_a_few_nights() -> None:
    """Twenty-seven nights of a new tenant in an old fleet are too few."""
    rng = np.random.default_rng(7)
    history = [a_night(i, RATES | ({OTHERS: 0.3} if i >= 29 else {}), rng) for i in range(56)]

    usual = baseline(history)

    assert usual.expected(OTHERS) is None
    assert usual.expected(DOCUMENTS) is not None
    assert (history[-1].day - history[0].day) == timedelta(days=55)
