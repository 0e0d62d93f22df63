"""A trend small enough to stand in a line of text: an SVG of a few hundred bytes; pure."""

import base64
from collections.abc import Sequence
from itertools import pairwise

from pipelines.marts.trend import Trend

#: so many nights, newest at the right: Dagster shows Markdown inline below a thousand characters
NIGHTS = 28
_WIDTH, _HEIGHT = 378, 80


def sparkline(trend: Trend) -> str:
    """Return Markdown that shows the last nights as a line in the band of its intervals, from 0 to the trend's top.

    A night without a rate is a gap, a vertical line is a change of definition, a bar below
    the nights on which an alert stood.
    """
    recent = Trend(tenant=trend.tenant, nights=trend.nights[-NIGHTS:], changes=trend.changes, rises=trend.rises)
    band, line = "", ""
    for stretch in recent.stretches():
        bounded = [(place, night) for place, night in stretch if night.low is not None and night.high is not None]
        if len(bounded) > 1:
            around = [_at(place, night.high, recent) for place, night in bounded]
            around += [_at(place, night.low, recent) for place, night in reversed(bounded)]
            band += f"{_path(around)}z"
        line += _path([_at(place, night.rate, recent) for place, night in stretch])
    breaks = "".join(f"M{place * _step(recent)} 0v{_HEIGHT}" for place in recent.breaks)
    alarms = "".join(
        f"M{first * _step(recent) - 4} {_HEIGHT}h{(last - first) * _step(recent) + 8}"
        for first, last in _runs(recent.alarming)
    )
    body = _drawn(band, "fill='#fcc'") + _drawn(line, "stroke='#c33'") + _drawn(breaks, "stroke='#777'")
    body += _drawn(alarms, "stroke='#c00' stroke-width='5'")
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{_HEIGHT}' fill='none'>{body}</svg>"
    return f"![trend](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


def _step(trend: Trend) -> int:
    return _WIDTH // max(len(trend.nights) - 1, 1)


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each unbroken run."""
    starts = [place for place in places if place - 1 not in places]
    ends = [place for place in places if place + 1 not in places]
    return list(zip(starts, ends, strict=True))


def _drawn(path: str, style: str) -> str:
    return f"<path d='{path}' {style}/>" if path else ""


def _at(place: int, value: float | None, trend: Trend) -> tuple[int, int]:
    return place * _step(trend), round((1 - (value or 0.0) / trend.top) * _HEIGHT)


def _path(points: Sequence[tuple[int, int]]) -> str:
    """Return the shortest path through points: the first one absolute, each other one as a step from the one before."""
    steps = [number for (x, y), (next_x, next_y) in pairwise(points) for number in (next_x - x, next_y - y)] or [1, 0]
    written = "".join(f"{number}" if number < 0 else f" {number}" for number in steps)
    return f"M{points[0][0]} {points[0][1]}l{written.strip()}"
