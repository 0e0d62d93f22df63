"""The trend as a PNG picture; pure."""

from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pipelines.marts.trend import Trend


def picture(trend: Trend) -> bytes:
    """Return a PNG of 1,200 by 500 points; the same trend gives the same bytes."""
    figure = Figure(figsize=(12, 5), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _draw(axes, trend)
    out = BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _draw(axes: Axes, trend: Trend) -> None:
    days = [night.day.toordinal() for night in trend.nights]
    for place_of_stretch, stretch in enumerate(trend.stretches()):
        places = [days[place] for place, _ in stretch]
        bounded = [(days[place], night) for place, night in stretch if night.high is not None]
        axes.plot(
            places,
            [night.rate or 0.0 for _, night in stretch],
            color="#b02a2a",
            marker="o",
            markersize=4,
            label="_" if place_of_stretch else "a night's rate",
        )
        axes.fill_between(
            [day for day, _ in bounded],
            [night.low or 0.0 for _, night in bounded],
            [night.high or 0.0 for _, night in bounded],
            color="#f6caca",
            linewidth=0,
            label="_" if place_of_stretch else "95 % interval",
        )
    alarming = [(days[place], trend.nights[place].rate) for place in trend.alarming]
    axes.plot(
        [day for day, rate in alarming if rate is not None],
        [rate for _, rate in alarming if rate is not None],
        linestyle="",
        marker="o",
        markersize=9,
        color="#d50000",
        label="an alert stood" if alarming else "_",
    )
    for place in trend.breaks:
        axes.axvline(days[place] - 0.5, color="#555555", linestyle="--", linewidth=1)
        axes.text(days[place] - 0.5, trend.top, " definition changed", va="top", fontsize=8, color="#555555")
    axes.set_ylim(0, trend.top)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    last = len(days) - 1
    places_shown = sorted({0, last // 3, 2 * last // 3, last})
    axes.set_xticks([days[place] for place in places_shown], [str(trend.nights[place].day) for place in places_shown])
    axes.grid(axis="y", color="#e4e4e4")
    axes.spines[["top", "right"]].set_visible(False)
    # a host name may hold nothing that mathematical text would take for its own, but a picture must not fail over one
    axes.set_title(f"{trend.title}\n{trend.basis}", loc="left", parse_math=False, fontsize=11)
    axes.set_ylabel("share of judged passages")
    figure = axes.get_figure()
    if figure is not None and axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
