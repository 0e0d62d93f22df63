"""Whether the judge itself has moved: the same charts, on passages whose grades are known."""

from collections.abc import Iterable
from datetime import date

from pipelines.alerts.night import Night, Row, night_of
from pipelines.alerts.replay import replay
from pipelines.alerts.slices import Leaf

_ANCHORS = Leaf("anchors", "anchors", "all")


def anchor_night(day: date, instrument: str, judged: int, differing: int) -> Night:
    """Return a night of anchors: each a retrieval of one passage, irrelevant where its grade is not its first one."""
    alike = ((1, differing), (0, judged - differing))
    rows = [Row(leaf=_ANCHORS, judged=1, irrelevant=differs, count=count) for differs, count in alike]
    return night_of(day, rows, instrument=instrument)


def moved_days(anchors: Iterable[tuple[date, str, int, int]]) -> frozenset[date]:
    """Return the days on which the judge's chart alarmed, from (day, instrument, judged, differing), sorted by day.

    A new judge starts a chart of its own, which learns before it speaks.
    """
    by_instrument: dict[str, list[Night]] = {}
    for day, instrument, judged, differing in anchors:
        by_instrument.setdefault(instrument, []).append(anchor_night(day, instrument, judged, differing))
    return frozenset(
        step.day
        for nights in by_instrument.values()
        for step in replay(nights)
        if step.decision is not None and step.decision.alarming
    )
