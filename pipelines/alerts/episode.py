"""Alarms as episodes: what each one named, from its first night to its end; pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from pipelines.alerts.finding import Finding
from pipelines.alerts.replay import Step
from pipelines.alerts.slices import Slice

Ended = Literal["recovered", "acknowledged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A slice that the alarm named, as it was on the last night that it was named."""

    finding: Finding
    last_day: date
    instrument_moved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An alarm: `ended` is None while it stands, `widened` are the nights on which it was told again."""

    opened: date
    widened: tuple[date, ...]
    ended: Ended | None
    ended_on: date | None
    named: dict[Slice, Named]

    @property
    def instrument_moved(self) -> bool:
        """Whether the judge had moved on every night that it named something: it says nothing of the retrievals."""
        return all(each.instrument_moved for each in self.named.values())


def episodes(steps: Iterable[Step], moved: frozenset[date] = frozenset()) -> list[Episode]:
    """Return the alarms of a history, in order; `moved` are the days on which the judge's own chart alarmed."""
    found: list[Episode] = []
    current: Episode | None = None
    for step in steps:
        for notice in step.notices:
            if notice.what == "opened":
                current = Episode(opened=step.day, widened=(), ended=None, ended_on=None, named={})
        if current is not None:
            named = {
                finding.slice: Named(finding=finding, last_day=step.day, instrument_moved=step.day in moved)
                for finding in step.findings
            }
            current = replace(current, named={**current.named, **named})
            for notice in step.notices:
                if notice.what == "widened":
                    current = replace(current, widened=(*current.widened, step.day))
                elif notice.what != "opened":
                    found.append(replace(current, ended=notice.what, ended_on=step.day))
                    current = None
                    break
    return [*found, current] if current is not None else found
