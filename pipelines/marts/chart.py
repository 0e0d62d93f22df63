"""The trend as an SVG picture for a page: the line, the band of its intervals, breaks and alarms; pure."""

from html import escape

from pipelines.marts.figures import share_with_interval
from pipelines.marts.trend import NightRate, Trend

_WIDTH, _HEIGHT = 760, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 18, 26


def chart(trend: Trend) -> str:
    """Return an `<svg>` element; pointing at a night shows its figures.

    Breaks of definition are dashed lines that the series doesn't cross; nights on which an alert stood are red dots.
    """
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" class="trend">',
        f"<title>{escape(_title(trend))}</title>",
        *_axes(trend),
        *(_band(stretch, trend) for stretch in trend.stretches()),
        *(_line(stretch, trend) for stretch in trend.stretches()),
        *(_break(place, trend) for place in trend.breaks),
        *(_dot(place, night, trend) for stretch in trend.stretches() for place, night in stretch),
        "</svg>",
    ]
    return "".join(parts)


def _title(trend: Trend) -> str:
    whose = "all tenants" if trend.tenant == "*" else trend.tenant
    return f"Irrelevant passages night by night, {whose}, with 95 % intervals"


def _x(place: int, trend: Trend) -> float:
    return round(_LEFT + place * (_WIDTH - _LEFT - _RIGHT) / max(len(trend.nights) - 1, 1), 1)


def _y(value: float, trend: Trend) -> float:
    return round(_TOP + (1 - value / trend.top) * (_HEIGHT - _TOP - _BOTTOM), 1)


def _axes(trend: Trend) -> list[str]:
    lines = []
    step = next(step for step in (0.05, 0.1, 0.2) if trend.top / step <= 5)
    for each in range(int(trend.top / step + 1e-9) + 1):
        y = _y(each * step, trend)
        lines.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}" class="grid"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{each * step:.0%}</text>')
    last = len(trend.nights) - 1
    for place in sorted({0, last // 3, 2 * last // 3, last}):
        anchor = "end" if place == last and last else "start" if place == 0 else "middle"
        day = trend.nights[place].day
        lines.append(f'<text x="{_x(place, trend)}" y="{_HEIGHT - 8}" text-anchor="{anchor}">{day}</text>')
    return lines


def _band(stretch: list[tuple[int, NightRate]], trend: Trend) -> str:
    up = [f"{_x(place, trend)},{_y(night.high, trend)}" for place, night in stretch if night.high is not None]
    down = [f"{_x(place, trend)},{_y(night.low, trend)}" for place, night in reversed(stretch) if night.low is not None]
    return f'<polygon points="{" ".join(up + down)}" class="band"/>'


def _line(stretch: list[tuple[int, NightRate]], trend: Trend) -> str:
    points = [f"{_x(place, trend)},{_y(night.rate or 0.0, trend)}" for place, night in stretch]
    return f'<polyline points="{" ".join(points)}" class="line"/>'


def _break(place: int, trend: Trend) -> str:
    x = _x(place, trend) - (_x(1, trend) - _x(0, trend)) / 2
    said = "; ".join(str(change) for change in trend.changes if change.day == trend.nights[place].day)
    where = f'x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"'
    return (
        f'<g class="break"><title>{escape(said)}</title><line {where}/>'
        f'<text x="{x:.1f}" y="{_TOP - 6}" text-anchor="middle">definition changed</text></g>'
    )


def _dot(place: int, night: NightRate, trend: Trend) -> str:
    kind, radius = ("alarm", 5) if place in trend.alarming else ("night", 3)
    said = f"{night.day}: {share_with_interval(night.rate, night.low, night.high)} of {night.passages} passages"
    return (
        f'<circle cx="{_x(place, trend)}" cy="{_y(night.rate or 0.0, trend)}" r="{radius}" class="{kind}">'
        f"<title>{escape(said)}</title></circle>"
    )
