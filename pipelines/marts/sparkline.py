"""A trend small enough to stand in a line of text: an SVG of a few hundred bytes; pure."""

import base64
from collections.abc import Sequence

_WIDTH, _HEIGHT = 120, 24


def sparkline(values: Sequence[float | None]) -> str:
    """Return Markdown that shows shares from 0 to 1 as a line, newest at the right; a night without a rate is a gap."""
    step = _WIDTH / max(len(values) - 1, 1)
    top = max([0.01, *(value for value in values if value is not None)])
    runs: list[list[str]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append(f"{place * step:.0f},{(1 - value / top) * (_HEIGHT - 4) + 2:.0f}")
    lines = "".join(f'<polyline points="{" ".join(run)}"/>' for run in runs if run)
    size = f'width="{_WIDTH}" height="{_HEIGHT}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="none" stroke="#c33">{lines}</svg>'
    return f"![trend](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
