"""The charts from stored nights: the same nights give the same charts, whenever they are computed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from pipelines.alerts.alarm import Alarm, Notice, follow
from pipelines.alerts.baseline import LEAST_NIGHTS, MOST_NIGHTS, NOTHING_USUAL, Baseline, baseline
from pipelines.alerts.chart import Decision, Layout, State, carry, layout, start, update
from pipelines.alerts.finding import Finding, period
from pipelines.alerts.night import Night

#: nights of "now" where it is not known when a rise began
_RECENT = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What a person did after the night of `day`.

    *acknowledge* sets every score to zero; *baseline* does so too, and measures what is usual anew from the nights from
    `since` on, once there are enough of them.
    """

    day: date
    what: Literal["acknowledge", "baseline"]
    since: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The charts after one calendar day; `night` and `decision` are None for a day without one."""

    day: date
    night: Night | None
    baseline: Baseline
    layout: Layout
    decision: Decision | None
    alarm: Alarm | None
    notices: tuple[Notice, ...]
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _Charts:
    """What is carried from one day to the next."""

    baseline: Baseline = NOTHING_USUAL
    layout: Layout = field(default_factory=lambda: layout(NOTHING_USUAL))
    state: State = field(default_factory=lambda: start(layout(NOTHING_USUAL)))
    alarm: Alarm | None = None
    history: list[Night] = field(default_factory=list)
    strangers: dict[tuple[str, str], int] = field(default_factory=dict)

    def learn(self, night: Night) -> None:
        """Add the night to what baselines are made from, and to the baseline what has been seen long enough."""
        if not night.complete or (self.baseline.slices and night.instrument != self.baseline.instrument):
            return
        oldest = night.day - timedelta(days=MOST_NIGHTS)
        self.history = [*(each for each in self.history if each.day > oldest), night]
        self._meet(night)
        if any(n >= LEAST_NIGHTS and n % 7 == 0 for n in self.strangers.values()):
            self.adopt(baseline(self.history, frozen=self.baseline))

    def _meet(self, night: Night) -> None:
        """Count the nights since each tenant and kind without a baseline was first seen."""
        for parent in {(leaf.tenant, leaf.kind) for leaf in night.leaves} - set(self.baseline.parents):
            self.strangers.setdefault(parent, 0)
        self.strangers = {parent: n + 1 for parent, n in self.strangers.items()}

    def adopt(self, new: Baseline) -> None:
        """Go on with a baseline that knows more; scores stay."""
        arranged = layout(new)
        self.state = carry(self.state, self.layout, arranged)
        self.baseline, self.layout = new, arranged
        self.strangers = {parent: n for parent, n in self.strangers.items() if parent not in new.parents}

    def act(self, act: Act) -> Notice | None:
        """Do what a person asked for."""
        if act.what == "baseline":
            self.history = [night for night in self.history if act.since is None or night.day >= act.since]
            self.baseline = baseline(self.history)
            self.layout = layout(self.baseline)
            self.strangers = {}
            for night in self.history:
                self._meet(night)
        self.state = start(self.layout)
        if self.alarm is None:
            return None
        ended, self.alarm = self.alarm, None
        return Notice(day=act.day, opened=ended.opened, what="acknowledged", named=())


def replay(nights: Sequence[Night], acts: Sequence[Act] = ()) -> Iterator[Step]:
    """Yield the charts after each calendar day from the first night to the last; both arguments sorted by day."""
    by_day = {night.day: night for night in nights}
    charts = _Charts()
    for day in _days(nights):
        night = by_day.get(day)
        decision, notices = None, list[Notice]()
        findings: tuple[Finding, ...] = ()
        if night is not None:
            charts.state, decision = update(charts.layout, charts.baseline, charts.state, night)
            charts.alarm, notice = follow(charts.alarm, decision)
            findings = _findings(decision, charts.baseline, nights) if charts.alarm else ()
            notices += [notice] if notice else []
        step_baseline, step_layout = charts.baseline, charts.layout
        if night is not None:
            charts.learn(night)
        notices += [told for act in acts if act.day == day and (told := charts.act(act))]
        yield Step(
            day=day,
            night=night,
            baseline=step_baseline,
            layout=step_layout,
            decision=decision,
            alarm=charts.alarm,
            notices=tuple(notices),
            findings=findings,
        )


def _days(nights: Sequence[Night]) -> Iterator[date]:
    if nights:
        for offset in range((nights[-1].day - nights[0].day).days + 1):
            yield nights[0].day + timedelta(days=offset)


def _findings(decision: Decision, usual: Baseline, nights: Sequence[Night]) -> tuple[Finding, ...]:
    """Say what the named slices were like over the baseline's nights, and since their rise began."""
    if usual.first is None or usual.last is None:
        return ()
    before = [night for night in nights if usual.first <= night.day <= usual.last]
    findings = []
    for named in decision.named:
        since = named.since or decision.day - timedelta(days=_RECENT - 1)
        now = [night for night in nights if since <= night.day <= decision.day]
        findings.append(
            Finding(
                slice=named.slice,
                part=named.part,
                since=named.since,
                before=period(before, named.slice),
                now=period(now, named.slice),
            )
        )
    return tuple(findings)
