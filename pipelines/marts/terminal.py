"""The trend as a plot for a terminal; pure."""

import plotext

from pipelines.marts.trend import Trend


def terminal_plot(trend: Trend, *, width: int, height: int = 18, in_colour: bool = True) -> str:
    """Return the plot as lines of text: a dot for each night's rate, an upright line for its interval.

    A dotted line from top to bottom stands before a night from which on another definition holds; a night on which an
    alert stood is marked ! in place of the dot.
    """
    figure = plotext.figure
    figure.clear()
    figure.plot_size(width, height)
    for stretch in trend.stretches():
        for place, night in stretch:
            if night.low is not None and night.high is not None:
                figure.draw(figure.segment((place, place), (night.low, night.high), marker="│"))
        for place, night in stretch:
            figure.draw(figure.signal([place], [night.rate], marker="!" if place in trend.alarming else "●"))
    for place in trend.breaks:
        figure.line(place - 0.5, "vertical", relative=False, style="dotted")
    ticks = [each / 10 for each in range(0, round(trend.top * 10) + 1, 1 if trend.top <= 0.5 else 2)]
    across = figure.ruler("y")
    across.lim(0, trend.top)
    across.ticks(ticks, [f"{each:.0%}" for each in ticks])
    last = len(trend.nights) - 1
    along = figure.ruler("x")
    along.lim(-0.5, last + 0.5)
    places = sorted({0, last // 2, last})
    along.ticks(places, [trend.nights[place].day.isoformat() for place in places])
    drawn: str = figure.build().string(colorless=not in_colour)
    return "\n".join(line.rstrip() for line in drawn.splitlines())
