"""What holds for every expression, every anchor and every time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.resolution.structured import Anchor, Expression, Interval, parse, read, render, resolve
from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.grammar import shared
from tests.resolution.structured.expressions import anchors, expressions, instants, points

pytestmark = pytest.mark.property


def the(interval: Interval | None) -> tuple[datetime, datetime]:
    """Return both ends as instants in UTC."""
    assert interval is not None
    assert interval.start is not None
    assert interval.end is not None
    return interval.start.astimezone(UTC), interval.end.astimezone(UTC)


@given(expressions)
def test_what_is_rendered_is_parsed_to_the_same(expression: Expression) -> None:
    """`parse(render(x)) == x`; of a span both sides share what only one says."""
    if isinstance(expression, x.Between):
        expression = shared(expression.first, expression.last)

    assert parse(render(expression)) == expression


@given(expressions, anchors)
def test_an_interval_is_never_backwards_and_never_an_error(expression: Expression, anchor: Anchor) -> None:
    """Every expression at every anchor gives None or a start before an end, in the asker's time zone."""
    interval = resolve(expression, anchor)

    if interval is not None and interval.start is not None and interval.end is not None:
        assert interval.start.astimezone(UTC) < interval.end.astimezone(UTC)
        assert interval.start.tzinfo is anchor.at.tzinfo


@given(anchors)
def test_today_holds_its_anchor(anchor: Anchor) -> None:
    """A span of "today" contains its anchor, also where midnight does not exist or happens twice."""
    interval = resolve(x.Day(offset=0), anchor)

    assert interval is not None
    assert anchor.at in interval


@given(anchors, st.sampled_from(["week", "month", "quarter", "year"]))
def test_consecutive_periods_abut(anchor: Anchor, unit: x.PeriodUnit) -> None:
    """The last ends where this one starts, this one where the next starts, and this one holds the anchor."""
    last, this, following = (resolve(x.Period(unit=unit, shift=shift), anchor) for shift in (-1, 0, 1))

    assert the(last)[1] == the(this)[0]
    assert the(this)[1] == the(following)[0]
    assert this is not None
    assert anchor.at in this


@given(anchors)
def test_consecutive_days_abut(anchor: Anchor) -> None:
    """Yesterday, today and tomorrow leave no gap, on days when clocks change too."""
    yesterday, today, tomorrow = (resolve(x.Day(offset=offset), anchor) for offset in (-1, 0, 1))

    assert the(yesterday)[1] == the(today)[0]
    assert the(today)[1] == the(tomorrow)[0]


@given(anchors)
def test_a_week_starts_on_its_first_day(anchor: Anchor) -> None:
    """A week starts on the configured weekday and is seven dates long."""
    week = resolve(x.Period(unit="week", shift=0), anchor)

    assert week is not None
    assert week.start is not None
    assert week.end is not None
    assert week.start.weekday() == anchor.week_start
    assert week.end.date() - week.start.date() == timedelta(days=7)


@given(anchors, st.integers(0, 6), st.sampled_from([-1, 0, 1]))
def test_a_weekday_of_a_week_lies_in_it(anchor: Anchor, weekday: int, shift: int) -> None:
    """The day "Tuesday of last week" is a Tuesday and inside last week, whatever day a week starts on."""
    day = resolve(x.Weekday(weekday=weekday, week=shift), anchor)
    week = resolve(x.Period(unit="week", shift=shift), anchor)

    assert day is not None
    assert week is not None
    assert day.start is not None
    assert day.start.weekday() == weekday
    assert week.intersect(day) == day


@given(anchors, st.integers(1, 12), st.integers(1, 31))
def test_a_date_without_a_year_keeps_its_day_and_side(anchor: Anchor, month: int, day: int) -> None:
    """The date found is that day and month, on the side that was asked for; None where there never is such a day."""
    interval = resolve(x.Date(day=day, month=month), anchor)

    if interval is None:
        assert (month, day) in {(2, 30), (2, 31), (4, 31), (6, 31), (9, 31), (11, 31)}
        return
    assert interval.start is not None
    found = interval.start.date()
    assert (found.month, found.day) == (month, day)
    if anchor.side == "past":
        assert found <= anchor.today
    if anchor.side == "coming":
        assert found >= anchor.today


@given(points, anchors)
def test_since_and_before_share_their_bound(point: x.Point, anchor: Anchor) -> None:
    """Before A ends where since A starts when both are read on the same side; until A ends where after A starts."""
    at = Anchor(at=anchor.at, week_start=anchor.week_start, side="past")
    since, before, after, until = (
        resolve(x.Bounded(bound=bound, point=point), at) for bound in ("since", "before", "after", "until")
    )

    if since is not None and before is not None and after is not None and until is not None:
        assert since.start == before.end
        assert after.start == until.end


@given(st.text(max_size=200), instants)
def test_any_text_can_be_read(text: str, at: datetime) -> None:
    """No text is an error, and every span is a piece of the text at its offset."""
    reading = read(text, at=at)

    for span in reading.spans:
        assert text[span.offset : span.offset + len(span.phrase)] == span.phrase


_WORDS = st.sampled_from(
    [
        "the",
        "in",
        "on",
        "of",
        "last",
        "next",
        "this",
        "Friday",
        "May",
        "march",
        "3",
        "3rd",
        "2026",
        "2026-11-30",
        "week",
        "weeks",
        "days",
        "ago",
        "since",
        "before",
        "between",
        "and",
        "from",
        "to",
        "I",
        "24/7",
        '"',
        "'",
        "«",
        "»",
        ",",
        ".",
        "?",
        "le",
        "la",
        "semaine",
        "dernière",
        "il",
        "y",
        "a",
        "hace",
        "desde",
        "settimana",
        "fa",
        "tra",
    ]
)


@given(st.lists(_WORDS, max_size=30), instants)
def test_word_salad_can_be_read_twice_alike(words: list[str], at: datetime) -> None:
    """The same words give the same reading, and the window lies in every span."""
    text = " ".join(words)

    reading = read(text, at=at)

    assert read(text, at=at) == reading
    if reading.window is not None:
        assert all(reading.window.intersect(span.interval) == reading.window for span in reading.spans)


@pytest.mark.parametrize(
    ("zone", "at", "hours"),
    [
        ("Europe/Paris", datetime(2026, 3, 29, 12, tzinfo=UTC), 23),
        ("Europe/Paris", datetime(2026, 10, 25, 12, tzinfo=UTC), 25),
        ("Australia/Lord_Howe", datetime(2026, 4, 5, 3, tzinfo=UTC), 24.5),
        ("America/Sao_Paulo", datetime(2018, 11, 4, 12, tzinfo=UTC), 23),
    ],
)
def test_days_on_which_clocks_change_are_shorter_or_longer(zone: str, at: datetime, hours: float) -> None:
    """A day is as long as the wall clock says; in São Paulo midnight itself was skipped."""
    interval = resolve(x.Day(offset=0), Anchor(at=at.astimezone(ZoneInfo(zone))))

    start, end = the(interval)
    assert end - start == timedelta(hours=hours)
