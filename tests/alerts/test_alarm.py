"""What is told of an alarm, and how often."""

import math

import numpy as np

from pipelines.alerts.alarm import Alarm, Notice, follow
from pipelines.alerts.chart import ALARM, Decision, Named
from pipelines.alerts.slices import ANY, Slice
from tests.alerts.build import day

DOCUMENTS = Slice("acme.example", "document", ANY)
COMBINED = Slice("acme.example", "document", "combined")
FLEET = Slice(ANY, "document", ANY)


def a_decision(number: int, fleet: float, *named: Slice, skipped: str | None = None) -> Decision:
    """Return the decision of a night."""
    return Decision(
        day=day(number),
        skipped=skipped,
        log_fleet=math.log(fleet),
        named=tuple(Named(slice=each, part=1 / len(named), since=day(0)) for each in named),
        log_score=np.zeros(0),
        retrievals=np.zeros(0),
    )


def told(*decisions: Decision) -> list[tuple[int, str]]:
    """Return the night and the kind of every notice."""
    alarm: Alarm | None = None
    notices: list[Notice] = []
    for decision in decisions:
        alarm, notice = follow(alarm, decision)
        notices += [notice] if notice else []
    return [((notice.day - day(0)).days, notice.what) for notice in notices]


def test_an_alarm_is_told_once() -> None:
    """Not again while it lasts, nor when it names a part of what was named."""
    nights = [
        a_decision(i, fleet, *named)
        for i, (fleet, named) in enumerate([(20, ()), (200, (DOCUMENTS,)), (900, (COMBINED,))])
    ]

    assert told(*nights, a_decision(3, 500, DOCUMENTS)) == [(1, "opened")]


def test_an_alarm_that_widens_is_told_again() -> None:
    """Once for each time that it reaches beyond what was told."""
    nights = [
        a_decision(0, 200, COMBINED),
        a_decision(1, 300, DOCUMENTS, COMBINED),
        a_decision(2, 300, FLEET),
        a_decision(3, 300, DOCUMENTS),
    ]

    assert told(*nights) == [(0, "opened"), (1, "widened"), (2, "widened")]


def test_recovery_is_told_once_and_not_at_the_threshold() -> None:
    """A score that wavers about the threshold opens no second alarm."""
    scores = [200, ALARM - 1, 190, 30, 10, 10]

    nights = [a_decision(i, fleet, *([DOCUMENTS] if fleet >= ALARM else [])) for i, fleet in enumerate(scores)]

    assert told(*nights) == [(0, "opened"), (4, "recovered")]


def test_an_alarm_is_over_below_18() -> None:
    """A tenth of what it takes to open; just above that it stands."""
    nights = [a_decision(0, 200, DOCUMENTS), a_decision(1, 18.1), a_decision(2, 17.9)]

    assert told(*nights) == [(0, "opened"), (2, "recovered")]


def test_a_new_alarm_after_recovery_is_told() -> None:
    """It is another one."""
    nights = [a_decision(0, 200, DOCUMENTS), a_decision(1, 1), a_decision(2, 200, DOCUMENTS)]

    assert told(*nights) == [(0, "opened"), (1, "recovered"), (2, "opened")]


def test_a_skipped_night_tells_nothing() -> None:
    """Neither alarm nor recovery comes from a night that was not counted."""
    nights = [
        a_decision(0, 200, DOCUMENTS),
        a_decision(1, 1, skipped="incomplete"),
        a_decision(2, 900, FLEET, skipped="other_judge"),
    ]

    assert told(*nights) == [(0, "opened")]
