"""A trend small enough to stand in a line of text: an SVG of a few hundred bytes; pure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from urllib.parse import quote

from pipelines.marts.trend import Trend

#: so many nights, newest at the right: Dagster shows Markdown inline below a thousand characters
NIGHTS = 28
#: in units of the picture, few so that their numbers are short: what stands at the left of the line, how far the line
#: goes, where its top is and its bottom
_LEFT, _WIDTH, _TOP, _HEIGHT = 22, 252, 4, 46
_BOTTOM = _TOP + _HEIGHT
#: pixels that the picture is wide on the page
_SHOWN = 500


def sparkline(trend: Trend) -> str:
    """Return Markdown that shows the last nights as a line in the band of its intervals, from 0 to the trend's top.

    Both ends of the axes are named. A night without a rate is a gap, a vertical line is a change of definition, a bar
    below the nights on which an alert stood. It is below `INLINE` characters with `legend` under it.
    """
    recent = replace(trend, nights=trend.nights[-NIGHTS:])
    band, line = "", ""
    for stretch in recent.stretches():
        bounded = [(place, night) for place, night in stretch if night.low is not None and night.high is not None]
        if len(bounded) > 1:
            around = [_at(place, night.high, recent) for place, night in bounded]
            around += [_at(place, night.low, recent) for place, night in reversed(bounded)]
            band += f"{_path(around)}z"
        line += _path([_at(place, night.rate, recent) for place, night in stretch])
    breaks = "".join(f"M{_x(place, recent)} {_TOP}v{_HEIGHT}" for place in recent.breaks)
    alarms = "".join(
        f"M{_x(first, recent) - 2} {_BOTTOM + 1}h{_x(last, recent) - _x(first, recent) + 4}v3h"
        f"{_x(first, recent) - _x(last, recent) - 4}z"
        for first, last in _runs(recent.alarming)
    )
    body = _drawn(band, "fill='pink'") + _drawn(line, "fill='none' stroke='red'")
    body += _drawn(f"M{_LEFT} {_TOP}v{_HEIGHT}h{_WIDTH}{breaks}", "fill='none' stroke='gray' stroke-width='.5'")
    body += _drawn(alarms, "fill='red'") + _ends(recent)
    size = f"width='{_SHOWN}' viewBox='0 0 {_LEFT + _WIDTH + 4} {_BOTTOM + 12}'"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' {size} fill='gray' font-size='7'>{body}</svg>"
    # within angle brackets a destination may hold spaces; base64 would take a third more
    return f"![trend](<data:image/svg+xml,{quote(svg, safe=_PLAIN)}>)"


#: what may stand as it is both in an address of Markdown and in one of data
_PLAIN = " '/=:,"


def legend(trend: Trend) -> str:
    """Return what the picture shows, in a line."""
    marks = ["band: 95 % interval"]
    marks += ["red bar: an alert stood"] if trend.alarming else []
    marks += ["grey line: another definition"] if trend.breaks else []
    return "; ".join(marks)


def _ends(trend: Trend) -> str:
    """Return the names of the axes' ends: nothing and the top, the first day and the last."""
    ends = f"<text y='{_TOP + 5}'>{trend.top:.0%}</text><text y='{_BOTTOM}'>0%</text>"
    if trend.nights:
        ends += f"<text x='{_LEFT}' y='{_BOTTOM + 11}'>{trend.nights[0].day}</text>"
    if len(trend.nights) > 1:
        # forty units are the width of a date
        ends += f"<text x='{_x(len(trend.nights) - 1, trend) - 40}' y='{_BOTTOM + 11}'>{trend.nights[-1].day}</text>"
    return ends


def _step(trend: Trend) -> int:
    return _WIDTH // max(len(trend.nights) - 1, 1)


def _x(place: int, trend: Trend) -> int:
    return _LEFT + place * _step(trend)


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each unbroken run."""
    starts = [place for place in places if place - 1 not in places]
    ends = [place for place in places if place + 1 not in places]
    return list(zip(starts, ends, strict=True))


def _drawn(path: str, style: str) -> str:
    return f"<path d='{path}' {style}/>" if path else ""


def _at(place: int, value: float | None, trend: Trend) -> tuple[int, int]:
    return _x(place, trend), _TOP + round((1 - (value or 0.0) / trend.top) * _HEIGHT)


def _path(points: Sequence[tuple[int, int]]) -> str:
    """Return the shortest path through points: the first one absolute, each other one as a step from the one before."""
    steps = [number for (x, y), (next_x, next_y) in pairwise(points) for number in (next_x - x, next_y - y)] or [1, 0]
    written = "".join(f"{number}" if number < 0 else f" {number}" for number in steps)
    return f"M{points[0][0]} {points[0][1]}l{written.strip()}"
