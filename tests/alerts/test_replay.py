"""The charts of a whole history."""

from dataclasses import replace
from datetime import timedelta

import numpy as np

from pipelines.alerts.night import Night
from pipelines.alerts.replay import Act, Step, replay
from pipelines.alerts.slices import ANY, Slice
from tests.alerts.build import COMBINED, DOCUMENTS, OTHERS, SNIPPETS, a_night, day, nights

RATES = {DOCUMENTS: 0.3, COMBINED: 0.35, SNIPPETS: 0.17}
WORSE = RATES | {DOCUMENTS: 0.5, COMBINED: 0.55}


def history(usual: int = 35, worse: int = 14, *, seed: int = 1) -> list[Night]:
    """Return usual nights, then worse ones."""
    rng = np.random.default_rng(seed)
    return [*nights(range(usual), RATES, rng), *nights(range(usual, usual + worse), WORSE, rng, query_fault=0.0)]


def told(steps: list[Step]) -> list[tuple[int, str]]:
    """Return the night and the kind of every notice."""
    return [((notice.day - day(0)).days, notice.what) for step in steps for notice in step.notices]


def test_the_charts_learn_for_28_nights_and_then_watch() -> None:
    """Learning is a state of its own, and ends by itself."""
    steps = list(replay(history(worse=0)))

    skipped = [step.decision.skipped for step in steps if step.decision]
    assert skipped == ["learning"] * 28 + [None] * 7


def test_an_alarm_says_before_and_now_and_which_half_broke() -> None:
    """The retriever's, in this history."""
    steps = list(replay(history()))

    (opened,) = [step for step in steps for notice in step.notices if notice.what == "opened"]
    finding = opened.findings[0]
    assert (finding.slice.tenant, finding.slice.kind) == ("acme.example", "document")
    assert finding.before.rate.high is not None
    assert finding.now.rate.rate is not None
    assert finding.before.rate.high < finding.now.rate.rate
    assert finding.since is not None
    assert abs((finding.since - day(35)).days) <= 3
    assert finding.fault == "retriever"


def test_the_same_nights_give_the_same_charts() -> None:
    """Computed anew, or by going on: what was decided of a night depends on it and those before."""
    whole, part = list(replay(history())), list(replay(history()[:40]))

    again = list(replay(history()))

    assert [step.decision and step.decision.log_fleet for step in whole[:40]] == [
        step.decision and step.decision.log_fleet for step in part
    ]
    assert told(whole) == told(again)


def test_a_missing_night_is_a_day_without_a_decision() -> None:
    """It is there to be seen, and moves nothing."""
    full = history()
    gap = [night for night in full if night.day != day(30)]

    steps = list(replay(gap))

    assert [step.day for step in steps] == [full[0].day + timedelta(days=i) for i in range(len(full))]
    assert [step.day for step in steps if step.decision is None] == [day(30)]


def test_acknowledging_sets_scores_to_zero_and_a_lasting_rise_is_told_again() -> None:
    """Acknowledged is not repaired."""
    plain = told(list(replay(history(worse=30))))
    (opened, *_), *_ = plain

    steps = list(replay(history(worse=30), [Act(day=day(opened), what="acknowledge")]))

    assert told(steps)[:2] == [(opened, "opened"), (opened, "acknowledged")]
    assert [what for _, what in told(steps)[2:]][:1] == ["opened"]
    after = next(step.decision for step in steps if step.day == day(opened + 1))
    assert after is not None
    before = next(step.decision for step in replay(history(worse=30)) if step.day == day(opened + 1))
    assert before is not None
    assert after.log_fleet < before.log_fleet


def test_a_new_baseline_is_accepted_by_an_act_alone() -> None:
    """After it the new level is usual: learned from the nights after the change, then silent."""
    long = history(worse=70, seed=3)
    (opened, *_), *_ = told(list(replay(long)))

    steps = list(replay(long, [Act(day=day(opened), what="baseline", since=day(35))]))

    assert [what for _, what in told(steps)] == ["opened", "acknowledged"]
    states = [step.decision.skipped for step in steps if step.decision]
    assert "learning" in states[opened + 1 : 63]
    assert states[64:] == [None] * len(states[64:])


def test_a_new_tenant_joins_when_it_has_been_seen_for_four_weeks() -> None:
    """Until then it is learning, and the others are watched as before."""
    rng = np.random.default_rng(4)
    mixed = [a_night(i, RATES | ({OTHERS: 0.3} if i >= 30 else {}), rng) for i in range(70)]

    steps = list(replay(mixed))

    joined = Slice("other.example", "document", ANY)
    first = next(step.day for step in steps if joined in step.layout.place)
    assert first == day(30 + 28)
    assert steps[35].layout.place
    assert steps[-1].baseline.leaves[DOCUMENTS] == steps[35].baseline.leaves[DOCUMENTS]


def test_another_judge_stops_the_charts_until_a_baseline_is_accepted() -> None:
    """Its nights teach the old baseline nothing."""
    first = history(worse=0)
    second = [replace(night, instrument="new") for night in nights(range(35, 100), WORSE, np.random.default_rng(5))]

    steps = list(replay([*first, *second]))
    accepted = list(replay([*first, *second], [Act(day=day(40), what="baseline", since=day(35))]))

    assert {step.decision.skipped for step in steps[35:] if step.decision} == {"other_judge"}
    assert accepted[-1].decision is not None
    assert accepted[-1].decision.skipped is None
    assert accepted[-1].baseline.instrument == "new"
    assert told(accepted) == []


def test_the_scores_of_the_others_go_on_when_a_tenant_joins() -> None:
    """Its own slices start from nothing; those of the others do not."""
    alone = [a_night(i, RATES, np.random.default_rng(i)) for i in range(60)]
    joined = [a_night(i, RATES | ({OTHERS: 0.3} if i >= 30 else {}), np.random.default_rng(i)) for i in range(60)]
    of_acme = Slice("acme.example", ANY, ANY)

    (*_, one), (*_, other) = replay(alone), replay(joined)

    assert one.decision is not None
    assert other.decision is not None
    assert Slice("other.example", ANY, ANY) in other.layout.place
    assert other.decision.log_score[other.layout.place[of_acme]] == one.decision.log_score[one.layout.place[of_acme]]
