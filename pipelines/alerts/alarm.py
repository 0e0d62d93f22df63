"""An alarm from the night it opens to the night it closes, and what people are told of it, once."""

import math
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from pipelines.alerts.chart import ALARM, Decision, Named
from pipelines.alerts.slices import Slice

#: an alarm closes when the fleet's score has fallen to this; between it and the threshold nothing is said
_LOG_RECOVERED = math.log(ALARM / 10)

What = Literal["opened", "widened", "recovered", "acknowledged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """An open alarm: since when, and every slice that was named so far."""

    opened: date
    told: tuple[Slice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something to tell: `named` are the slices of that night, none where it is over."""

    day: date
    opened: date
    what: What
    named: tuple[Named, ...]


def follow(alarm: Alarm | None, decision: Decision) -> tuple[Alarm | None, Notice | None]:
    """Return the alarm after one more night, and what is to be told.

    An open alarm is told again only when it widens: when a slice is named that lies within none that was named before.
    """
    if decision.skipped:
        return alarm, None
    if alarm is None:
        if not decision.alarming:
            return None, None
        opened = Alarm(opened=decision.day, told=tuple(each.slice for each in decision.named))
        return opened, _notice(decision, opened, "opened")
    if decision.log_fleet < _LOG_RECOVERED:
        return None, Notice(day=decision.day, opened=alarm.opened, what="recovered", named=())
    wider = tuple(each.slice for each in decision.named if not any(each.slice.within(known) for known in alarm.told))
    if not wider:
        return alarm, None
    widened = replace(alarm, told=alarm.told + wider)
    return widened, _notice(decision, widened, "widened")


def _notice(decision: Decision, alarm: Alarm, what: What) -> Notice:
    return Notice(day=decision.day, opened=alarm.opened, what=what, named=decision.named)
