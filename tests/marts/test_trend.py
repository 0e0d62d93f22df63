"""The trend, and its pictures: a line of text, a terminal, a page, a PNG."""

import base64
import re
from datetime import date, timedelta
from random import Random
from xml.etree import ElementTree as ET

import pytest
from matplotlib.figure import Figure

from pipelines.marts.chart import chart
from pipelines.marts.picture import _draw, picture
from pipelines.marts.sparkline import sparkline
from pipelines.marts.terminal import terminal_plot
from pipelines.marts.trend import DefinitionChange, NightRate, Rise, Trend, series

FIRST = date(2026, 3, 1)


def night(number: int, rate: float | None, width: float = 0.05) -> NightRate:
    """Return one night with an interval around its rate."""
    day = FIRST + timedelta(days=number)
    if rate is None:
        return NightRate(day=day)
    return NightRate(day=day, rate=rate, low=max(rate - width, 0), high=min(rate + width, 1), passages=40, coverage=1)


def change(number: int) -> DefinitionChange:
    """Return a change of judge."""
    return DefinitionChange(day=FIRST + timedelta(days=number), what="judge", before="lexical", after="openai")


def trend_of(*rates: float | None, changes: tuple[int, ...] = (), rises: tuple[tuple[int, int], ...] = ()) -> Trend:
    """Return a trend of these rates."""
    return Trend(
        tenant="acme.example",
        nights=tuple(night(number, rate) for number, rate in enumerate(rates)),
        changes=tuple(map(change, changes)),
        rises=tuple(
            Rise(since=FIRST + timedelta(days=since), last_day=FIRST + timedelta(days=last), headline="it rose")
            for since, last in rises
        ),
    )


def drawn(markdown: str) -> ET.Element:
    """Return the picture in a line of Markdown."""
    found = re.fullmatch(r"!\[trend\]\(data:image/svg\+xml;base64,(.+)\)", markdown)
    assert found is not None
    return ET.fromstring(base64.b64decode(found[1]))  # noqa: S314 - drawn by us


def test_days_without_a_row_are_nights_without_a_rate() -> None:
    """A series has every day from first to last."""
    row = {"day": FIRST, "rate": 0.2, "low": 0.1, "high": 0.3, "passages": 9, "coverage": 1.0}

    found = series("acme.example", [row], FIRST, FIRST + timedelta(days=2))

    assert [each.rate for each in found.nights] == [0.2, None, None]
    assert [each.day.day for each in found.nights] == [1, 2, 3]


def test_a_stretch_ends_at_a_gap_and_at_a_change_of_definition() -> None:
    """No line is drawn over what does not compare."""
    trend = trend_of(0.1, 0.2, None, 0.3, 0.4, 0.5, changes=(4,))

    assert [[place for place, _ in stretch] for stretch in trend.stretches()] == [[0, 1], [3], [4, 5]]
    assert trend.breaks == (4,)


def test_the_nights_of_a_rise_alarm() -> None:
    """From its first night to its last."""
    assert trend_of(0.1, 0.1, 0.5, 0.5, 0.1, rises=((2, 3),)).alarming == (2, 3)


@pytest.mark.parametrize(("rate", "top"), [(0.0, 0.1), (0.04, 0.1), (0.33, 0.4), (0.97, 1.0)])
def test_the_axis_ends_at_a_round_share_above_every_interval(rate: float, top: float) -> None:
    """And never above the whole."""
    assert trend_of(rate).top == pytest.approx(top)


def test_the_line_of_text_draws_each_stretch_its_band_breaks_and_alarms() -> None:
    """One path of each kind; the line begins anew after a gap and a break."""
    svg = drawn(sparkline(trend_of(0.1, 0.2, None, 0.3, 0.4, 0.5, changes=(4,), rises=((5, 5),))))

    band, line, breaks, alarms = [path.attrib["d"] for path in svg]
    assert line.count("M") == 3
    assert band.count("z") == 2  # a single night has no band
    assert breaks.count("M") == 1
    assert alarms.count("M") == 1


def test_four_weeks_of_noise_stay_short_enough_to_be_shown_inline() -> None:
    """Dagster puts Markdown of a thousand characters behind a button."""
    rng = Random(5)
    noisy = trend_of(*(rng.uniform(0.05, 0.95) for _ in range(40)), changes=(30,), rises=((33, 39),))

    assert len(sparkline(noisy)) < 1000


@pytest.mark.parametrize("rates", [(), (None,), (0.3,), (None, None, 0.2)])
def test_every_picture_of_little_is_drawn(rates: tuple[float | None, ...]) -> None:
    """A trend of one night, or of none, fails nowhere."""
    trend = trend_of(*rates)

    assert drawn(sparkline(trend)) is not None
    if rates:
        ET.fromstring(chart(trend))  # noqa: S314 - drawn by us
        assert terminal_plot(trend, width=60)
        assert picture(trend).startswith(b"\x89PNG")


def test_the_chart_has_a_dot_for_each_night_with_a_rate_and_says_its_figures() -> None:
    """Pointing at a night shows them; alarming ones are of another kind."""
    svg = ET.fromstring(chart(trend_of(0.1, None, 0.5, changes=(2,), rises=((2, 2),))))  # noqa: S314

    dots = list(svg.iter("circle"))
    assert [dot.attrib["class"] for dot in dots] == ["night", "alarm"]
    assert [dot[0].text for dot in dots] == [
        "2026-03-01: 10.0% [5.0%, 15.0%] of 40 passages",
        "2026-03-03: 50.0% [45.0%, 55.0%] of 40 passages",
    ]
    (broke,) = [group for group in svg.iter("g") if group.attrib["class"] == "break"]
    assert broke[0].text == "2026-03-03: judge openai, before lexical"


def test_the_chart_escapes_what_a_tenant_is_called() -> None:
    """A name is text."""
    svg = chart(Trend(tenant="<script>", nights=(night(0, 0.1),)))

    assert "<script>" not in svg
    ET.fromstring(svg)  # noqa: S314 - drawn by us


def test_the_terminal_shows_nights_intervals_breaks_and_alarms_without_colour() -> None:
    """A program that captures the plot gets plain text."""
    plot = terminal_plot(trend_of(0.1, 0.2, 0.5, changes=(1,), rises=((2, 2),)), width=60, in_colour=False)

    assert "\x1b" not in plot
    assert plot.count("●") == 2
    assert plot.count("!") == 1
    assert "┊" in plot
    assert "2026-03-01" in plot
    assert "60%" in plot


def test_the_picture_of_the_same_trend_is_the_same() -> None:
    """No time of day is in it."""
    trend = trend_of(0.1, 0.2, 0.5, changes=(1,), rises=((2, 2),))

    assert picture(trend) == picture(trend)


def test_the_picture_shows_where_the_definition_changed() -> None:
    """A dashed line before the first night of the new one, and what it means: also where no rate stands beside it."""
    axes = Figure().add_subplot()
    trend, unchanged = (trend_of(0.1, 0.2, None, 0.3, changes=changes) for changes in ((3,), ()))

    _draw(axes, trend)

    assert [line.get_xdata() for line in axes.lines if line.get_linestyle() == "--"] == [
        [trend.nights[3].day.toordinal() - 0.5] * 2
    ]
    assert [text.get_text().strip() for text in axes.texts] == ["definition changed"]
    assert trend.stretches() == unchanged.stretches()
    assert picture(trend) != picture(unchanged)
