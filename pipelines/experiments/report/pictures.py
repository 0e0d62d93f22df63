"""The pictures of a report, as SVG: paired differences, strategies by turn type, cost against gain."""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.experiments.comparison import Comparison, Outcome
from pipelines.experiments.reading import Reading

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {
    Outcome.BETTER: "#1a7f37",
    Outcome.WORSE: "#b42318",
    Outcome.EQUIVALENT: "#3b5b92",
    Outcome.UNRESOLVED: "#8a8a8a",
    Outcome.CONTROL_MOVED: "#b07d00",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture and what it shows."""

    title: str
    svg: str


def pictures(reading: Reading) -> list[Picture]:
    """Return the pictures of a reading; the same reading gives the same bytes."""
    if not reading.primary:
        return []
    drawn = [
        Picture(title=f"Difference in {reading.measure} against {reading.stored.run.control}", svg=_intervals(reading)),
        Picture(title="Paired differences, item by item", svg=_paired(reading)),
        Picture(title="Cost against gain", svg=_cost(reading)),
    ]
    if reading.slices:
        drawn.insert(1, Picture(title="By turn type", svg=_by_turn_type(reading)))
    return drawn


def _intervals(reading: Reading) -> str:
    figure, axes = _canvas(8.0, 1.2 + 0.32 * len(reading.primary))
    margin = reading.settings.margin
    axes.axvspan(-margin, margin, color="#eef1f6", zorder=0)
    _forest(axes, reading.primary)
    axes.set_xlabel(f"difference in {reading.measure}; shaded: ± {margin:g}, a difference not worth having")
    return _svg(figure)


def _by_turn_type(reading: Reading) -> str:
    count = len(reading.slices)
    from matplotlib.figure import Figure  # noqa: PLC0415 - heavy to import

    columns = min(3, count)
    rows = -(-count // columns)
    figure = Figure(figsize=(3.4 * columns + 1.2, rows * (0.9 + 0.26 * len(reading.primary))), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for place, (tag, compared) in enumerate(reading.slices.items()):
        axes = grid[place // columns][place % columns]
        _forest(axes, compared)
        axes.set_title(f"{tag} ({compared[0].items})", fontsize=9)
        axes.tick_params(axis="x", labelbottom=True)
    for place in range(count, rows * columns):
        grid[place // columns][place % columns].set_visible(False)
    return _svg(figure)


def _paired(reading: Reading) -> str:
    figure, axes = _canvas(8.0, 3.6)
    for each in reading.primary:
        values = reading.differences[each.strategy]
        axes.plot(
            [(place + 0.5) / len(values) for place in range(len(values))], values, linewidth=1.2, label=each.strategy
        )
    axes.axhline(0, color="#444444", linewidth=0.8)
    axes.set_xlabel("share of items, from the largest loss to the largest gain")
    axes.set_ylabel(f"difference in {reading.measure}")
    axes.legend(fontsize=6, ncols=2, frameon=False)
    return _svg(figure)


def _cost(reading: Reading) -> str:
    figure, axes = _canvas(9.5, 3.6)
    beside: Counter[float] = Counter()
    for number, each in enumerate(reading.primary, start=1):
        calls = round(reading.costs[each.strategy].calls, 2)
        at = calls + 0.07 * beside[calls]
        beside[calls] += 1
        low, high = _ends(each)
        ends = [[each.difference - low], [high - each.difference]]
        label = f"{number}  {each.strategy}"
        axes.errorbar(at, each.difference, yerr=ends, fmt="o", color=_COLOURS[each.outcome], label=label)
        axes.annotate(str(number), (at, high), xytext=(0, 3), textcoords="offset points", fontsize=8, ha="center")
    axes.axhline(0, color="#444444", linewidth=0.8)
    axes.margins(x=0.1, y=0.15)
    if reading.primary:
        figure.legend(loc="outside right upper", fontsize=7, frameon=False)
    axes.set_xlabel("model calls a turn (strategies of equal cost side by side)")
    axes.set_ylabel(f"difference in {reading.measure}")
    return _svg(figure)


def _forest(axes: "Axes", compared: Sequence[Comparison]) -> None:
    for place, each in enumerate(compared):
        low, high = _ends(each)
        colour = _COLOURS[each.outcome]
        axes.plot([low, high], [place, place], color=colour, linewidth=2)
        axes.plot([each.difference], [place], marker="o", color=colour, markersize=5)
    axes.axvline(0, color="#444444", linewidth=0.8)
    axes.set_yticks(range(len(compared)), [each.strategy for each in compared], fontsize=7)
    axes.set_ylim(len(compared) - 0.5, -0.5)
    axes.tick_params(axis="x", labelsize=7)


def _ends(each: Comparison) -> tuple[float, float]:
    if each.interval is None:
        return each.difference, each.difference
    return min(each.interval.low, each.difference), max(each.interval.high, each.difference)


def _canvas(width: float, height: float) -> "tuple[Figure, Axes]":
    from matplotlib.figure import Figure  # noqa: PLC0415 - heavy to import

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _svg(figure: "Figure") -> str:
    """Return the figure as SVG without date and with fixed ids, so that equal figures are equal bytes."""
    import matplotlib as mpl  # noqa: PLC0415 - heavy to import

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "nightcheck", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    drawn = out.getvalue()
    return drawn[drawn.index("<svg") :]
