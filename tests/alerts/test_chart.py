"""The score, the bets and the decision."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.alerts.baseline import Baseline, baseline
from pipelines.alerts.chart import (
    ALARM,
    SHIFTS,
    Decision,
    State,
    advance,
    bets,
    layout,
    log_bets,
    slice_states,
    start,
    update,
)
from pipelines.alerts.night import Night, Row, night_of
from pipelines.alerts.slices import ANY, Slice
from tests.alerts.build import COMBINED, DOCUMENTS, OTHERS, SNIPPETS, a_night, day, nights

RATES = {DOCUMENTS: 0.3, COMBINED: 0.35, SNIPPETS: 0.17, OTHERS: 0.3}


@pytest.fixture(scope="module")
def usual() -> Baseline:
    """Return a baseline of 56 nights."""
    return baseline(nights(range(56), RATES, np.random.default_rng(1)))


def chart(usual: Baseline, later: list[Night]) -> list[Decision]:
    """Return the decisions on these nights."""
    arranged = layout(usual)
    state, decisions = start(arranged), []
    for night in later:
        state, decision = update(arranged, usual, state, night)
        decisions.append(decision)
    return decisions


def test_the_score_follows_its_recursion(reference: dict[str, dict[str, Any]]) -> None:
    """R = (R + 1)*e in logarithms, on a likelihood ratio that was computed in fractions."""
    rows = reference["sr_cusum_binomial"]["expected"]["rows"]

    log_r, scores = np.array(-np.inf), []
    for row in rows:
        ratio = (row["y"] * math.log(0.25 * 6)) + (row["n"] - row["y"]) * math.log(0.75 / (5 / 6))
        log_r = advance(log_r, np.array(ratio))
        scores.append(float(log_r))

    assert scores == pytest.approx([row["log_sr"] for row in rows], abs=1e-9)


def test_a_bet_is_the_reference_bet(reference: dict[str, dict[str, Any]]) -> None:
    """The stake on x1.5, and the product over five retrievals."""
    case = reference["betting_e_value"]
    p0, variance = 1 / 6, case["input"]["v"]

    stakes = bets(np.array([p0]), np.array([variance]), np.array([p0]))[0]
    log_e = np.log1p(stakes[1] * (np.array(case["input"]["shares"]) - p0)).sum()

    assert stakes[1] == pytest.approx(case["expected"]["lam"], abs=case["abs_tol"])
    assert log_e == pytest.approx(case["expected"]["log_e"], abs=case["abs_tol"])


def test_a_chart_is_the_reference_mixture(reference: dict[str, dict[str, Any]], usual: Baseline) -> None:
    """Four nights of five retrievals through the whole update, without guard or tempering."""
    case = reference["sr_mixture_betting"]
    one = one_slice(usual, rate=1 / 6, variance=case["input"]["v"])

    later = [
        night_of(day(60 + i), [Row(leaf=DOCUMENTS, judged=5, irrelevant=round(x * 5), count=1) for x in shares])
        for i, shares in enumerate(case["input"]["nights"])
    ]
    decisions = chart(one, later)

    assert SHIFTS.tolist() == case["input"]["mults"]
    for decision, row in zip(decisions, case["expected"]["rows"], strict=True):
        assert math.exp(decision.log_score[0]) == pytest.approx(row["R_mix"], abs=case["abs_tol"])
        assert math.exp(decision.log_fleet) == pytest.approx(row["R_mix"], abs=case["abs_tol"])


def one_slice(usual: Baseline, *, rate: float, variance: float) -> Baseline:
    """Return a baseline that watches one slice, known exactly."""
    (known,) = (each for each in usual.slices if each.slice == Slice("acme.example", "document", ANY))
    exact = replace(known, rate=rate, variance=variance, guard=0.0, tempering=1.0, highest=rate, weight=1.0)
    return replace(usual, instrument="", leaves={DOCUMENTS: rate}, slices=(exact,))


def scores(*of_shifts: float) -> State:
    """Return the state in which the one slice has these scores, one a shift."""
    return State(log_r=np.log([of_shifts]), run=np.zeros(1), since=np.zeros(1, dtype=np.int64))


@pytest.mark.parametrize(("score", "calls"), [(179.9, False), (180.1, True)])
def test_it_calls_at_180(usual: Baseline, score: float, *, calls: bool) -> None:
    """The threshold is so many nights between false alarms; just under it nothing is said."""
    one = one_slice(usual, rate=1 / 6, variance=0.03)

    _, decision = update(layout(one), one, scores(score, score, score), night_of(day(60), [], complete=False))

    assert math.exp(decision.log_fleet) == pytest.approx(score)
    assert decision.alarming is calls
    assert slice_states(layout(one), decision) == ["alarming" if calls else "no_data"]


def test_scores_are_capped_at_180_where_it_calls_and_only_there(usual: Baseline) -> None:
    """A shift's score is a third of its slice's and may pass 180 before anything calls: to cap it there delays the call."""
    one = one_slice(usual, rate=1 / 6, variance=0.03)
    worse = night_of(day(60), [Row(leaf=DOCUMENTS, judged=5, irrelevant=1, count=1)])

    state, below = update(layout(one), one, scores(500, 0.1, 0.1), worse)
    after, above = update(layout(one), one, scores(550, 0.1, 0.1), worse)

    assert [below.alarming, above.alarming] == [False, True]
    assert math.exp(state.log_r[0, 0]) > 500
    assert math.exp(after.log_r[0, 0]) == pytest.approx(180)
    assert math.exp(above.log_fleet) > 180


@pytest.mark.parametrize("row", [0, 3])
def test_run_lengths_are_those_of_the_exact_chain(reference: dict[str, dict[str, Any]], row: int) -> None:
    """Nights between false alarms at A = 180, simulated with the recursion, against an exact Markov chain."""
    case = reference["sr_arl_table"]
    want = case["expected"]["rows"][row]
    rng = np.random.default_rng(20261130 + row)
    charts, retrievals, rho = 2500, want["n"] // 5, want["rho"]

    def log_ratio(p: float, lanes: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        own = rng.beta(p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho, size=(lanes, retrievals)) if rho else p
        y = rng.binomial(5, own, size=(lanes, retrievals)).sum(axis=1)
        return np.asarray((y * math.log(1.5) + (want["n"] - y) * math.log(0.9)) / (1 + 4 * rho), dtype=float)

    log_r, lengths, length = np.full(charts, -np.inf), [0], 0
    while len(log_r):
        length += 1
        log_r = advance(log_r, log_ratio(1 / 6, len(log_r)))
        rung = log_r >= math.log(case["input"]["A"])
        lengths += [length] * int(rung.sum())
        log_r = log_r[~rung]

    mean = sum(lengths) / charts
    assert mean >= case["input"]["A"]
    assert mean == pytest.approx(want["ARL0"], rel=case["rel_tol"])


@pytest.mark.property
@given(
    st.floats(0.001, 0.999),
    st.floats(0.0001, 0.25),
    st.floats(0, 0.2),
    st.lists(st.floats(0, 1), min_size=1, max_size=5),
)
def test_no_bet_can_lose_everything(rate: float, variance: float, guard: float, shares: list[float]) -> None:
    """The stake on any share stays above zero, so no night takes a score to nothing for ever."""
    stakes = bets(np.array([rate]), np.array([variance]), np.array([rate + guard]))

    assert (1 + stakes * (np.array(shares)[:, None] - rate - guard) >= 0.25 - 1e-12).all()


@pytest.mark.property
@given(st.floats(0.02, 0.9), st.floats(0, 0.15), st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_a_bet_does_not_gain_while_nothing_has_changed(rate: float, variance: float, shares: list[float]) -> None:
    """Its mean over any shares with the usual mean is one: what makes the score honest, however shares are spread."""
    shares_of_mean = np.array(shares) - np.mean(shares) + rate
    stakes = bets(np.array([rate]), np.array([variance + 1e-4]), np.array([rate]))

    assert np.mean(1 + stakes * (shares_of_mean[:, None] - rate), axis=0) == pytest.approx(np.ones(3))


def test_nothing_is_said_while_nothing_changes(usual: Baseline) -> None:
    """Sixty usual nights: no alarm, every slice ok."""
    decisions = chart(usual, list(nights(range(56, 116), RATES, np.random.default_rng(2))))

    assert not any(decision.alarming for decision in decisions)
    assert set(slice_states(layout(usual), decisions[-1])) == {"ok"}


def test_a_rise_is_called_and_named(usual: Baseline) -> None:
    """Documents of one tenant go from about 0.3 to 0.4: called within two weeks, and by its name first."""
    worse = RATES | {DOCUMENTS: 0.41, COMBINED: 0.45}

    decisions = chart(usual, list(nights(range(56, 70), worse, np.random.default_rng(3))))

    calls = [decision for decision in decisions if decision.alarming]
    assert calls
    assert not decisions[0].alarming
    first = calls[0].named[0]
    assert (first.slice.tenant, first.slice.kind) == ("acme.example", "document")
    assert first.since is not None
    assert abs((first.since - day(56)).days) <= 3
    assert sum(named.part for named in calls[0].named) >= 0.9
    assert sum(named.part for named in calls[0].named[:-1]) < 0.9
    states = dict(zip(layout(usual).slices, slice_states(layout(usual), calls[0]), strict=True))
    assert states[first.slice] == "alarming"
    moved = slice_states(layout(usual), calls[0], instrument_moved=True)
    assert "alarming" not in moved
    assert "instrument_moved" in moved


def test_a_shift_of_traffic_is_no_rise(usual: Baseline) -> None:
    """Ten times as many retrievals of the worst kind: the rate over all rises, no retrieval has become worse."""
    rng = np.random.default_rng(4)
    later = []
    for number in range(56, 96):
        many = a_night(number, {COMBINED: RATES[COMBINED]}, rng, retrievals=200)
        few = a_night(number, {SNIPPETS: RATES[SNIPPETS]}, rng, retrievals=2)
        rows = [
            Row(leaf=night.leaves[leaf], judged=5, irrelevant=irrelevant, count=1)
            for night in (many, few)
            for leaf, irrelevant in zip(night.leaf.tolist(), night.irrelevant.tolist(), strict=True)
        ]
        later.append(night_of(day(number), rows, instrument="judge"))

    assert not any(decision.alarming for decision in chart(usual, later))


def test_an_incomplete_night_and_another_judge_change_nothing(usual: Baseline) -> None:
    """However bad they look; the decision says why."""
    rng = np.random.default_rng(5)
    awful = dict.fromkeys(RATES, 0.95)
    normal = a_night(56, RATES, rng)
    incomplete = a_night(57, awful, rng, complete=False)
    other = a_night(58, awful, rng, instrument="another judge")

    one, two, three = chart(usual, [normal, incomplete, other])

    assert (one.skipped, two.skipped, three.skipped) == (None, "incomplete", "other_judge")
    assert one.log_fleet == pytest.approx(two.log_fleet) == pytest.approx(three.log_fleet)
    assert one.retrievals.tolist() == two.retrievals.tolist() == three.retrievals.tolist()
    assert {state for each in (one, two, three) for state in slice_states(layout(usual), each)} == {"ok"}


def test_a_slice_without_retrievals_keeps_its_score(usual: Baseline) -> None:
    """Silence is no evidence; it is shown as no data."""
    rng = np.random.default_rng(6)
    later = [a_night(56, RATES, rng), a_night(57, {OTHERS: RATES[OTHERS]}, rng)]

    one, two = chart(usual, later)

    place = layout(usual).place[Slice("acme.example", "document", ANY)]
    assert two.log_score[place] == one.log_score[place]
    assert slice_states(layout(usual), two)[place] == "no_data"


def test_a_leaf_that_was_never_seen_is_left_out_until_it_is_known(usual: Baseline) -> None:
    """A new tenant's retrievals are no bet: nothing is usual there."""
    from pipelines.alerts.slices import Leaf

    stranger = Leaf("new.example", "document", "first")
    arranged = layout(usual)

    row, slices, logs = log_bets(arranged, usual, (stranger,), np.zeros(4, dtype=np.int64), np.ones(4))

    assert (len(row), len(slices), len(logs)) == (0, 0, 0)


def test_rows_that_are_alike_count_as_often_as_they_say(usual: Baseline) -> None:
    """Three retrievals in one row are three rows of one."""
    apart = night_of(day(56), [Row(leaf=DOCUMENTS, judged=5, irrelevant=4, count=1)] * 3, instrument="judge")
    together = night_of(day(56), [Row(leaf=DOCUMENTS, judged=5, irrelevant=4, count=3)], instrument="judge")

    (one,), (other,) = chart(usual, [apart]), chart(usual, [together])

    assert one.log_score == pytest.approx(other.log_score)
    assert one.retrievals.tolist() == other.retrievals.tolist()


def test_a_score_falls_soon_after_things_are_well_again(usual: Baseline) -> None:
    """However long an alarm has lasted, it is over within two weeks of the repair."""
    rng = np.random.default_rng(7)
    bad = list(nights(range(56, 116), RATES | {DOCUMENTS: 0.7, COMBINED: 0.7}, rng))
    good = list(nights(range(116, 130), RATES, rng))

    decisions = chart(usual, bad + good)

    assert decisions[len(bad) - 1].alarming
    assert decisions[-1].log_fleet < math.log(ALARM / 10)
