"""Expressions to half-open intervals, given an anchor: the readings.

Days, weeks and months are those of the asker's wall clock, so a day is 23, 24 or 25 hours long where clocks change. All
arithmetic is on dates; only the two ends become instants. Which reading is taken where people differ is written down in
`docs/adr/0007-time-phrase-readings.md`.
"""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from typing import assert_never

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.interval import Anchor, Interval

#: hours of a part of a day: the first, and how many hours from midnight it ends
PARTS: dict[x.Part, tuple[int, int]] = {
    "morning": (5, 12),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 30),
}
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
_DAYS_OF = {"day": 1, "week": 7}
_FAR = (
    41  # years: every day, also 29 February on a given weekday, occurs within this distance (but 2100 is no leap year)
)


def resolve(expression: x.Expression, anchor: Anchor) -> Interval | None:
    """Return the interval of an expression; None where there is no such day, or it lies beyond the years 1 to 9999."""
    try:
        return _resolve(expression, anchor)
    except (OverflowError, ValueError):
        return None


def _resolve(expression: x.Expression, anchor: Anchor) -> Interval | None:
    match expression:
        case x.Between():
            return _between(expression, anchor)
        case x.Bounded():
            return _bounded(expression, anchor)
        case x.Rolling(unit="minute" | "hour"):
            return _rolling_clock(expression, anchor)
        case x.PartOfDay():
            first = _day(expression.day, anchor)
            begin, end = PARTS[expression.part]
            return Interval(start=_instant(first, anchor, begin), end=_instant(first, anchor, end))
        case _:
            start, stop = _days(expression, anchor)
            return Interval(start=_instant(start, anchor), end=_instant(stop, anchor))


def _instant(day: date, anchor: Anchor, hours: int = 0) -> datetime:
    """Return the first instant of an hour of the wall clock; where clocks jump over it, the instant of the jump."""
    day += timedelta(days=hours // 24)
    wall = datetime.combine(day, time(hours % 24), tzinfo=anchor.zone)
    return wall.astimezone(UTC).astimezone(anchor.zone)


def _between(span: x.Between, anchor: Anchor) -> Interval | None:
    first = _resolve(span.first, anchor)
    last = _resolve(span.last, anchor)
    if first is None or last is None or first.start is None or last.end is None:
        return None
    if first.start.astimezone(UTC) >= last.end.astimezone(UTC):
        if isinstance(span.last, x.Day):  # "between March and now"
            return _ended(span, anchor, last)
        moved = _moved(span, anchor, first.start)
        if moved is None:
            return None
        last = moved
    return Interval(start=first.start, end=last.end)


def _ended(span: x.Between, anchor: Anchor, last: Interval) -> Interval | None:
    """Read the start of a span on the past side of a day that is named from today."""
    first = _resolve(span.first, Anchor(at=anchor.at, week_start=anchor.week_start, side="past"))
    if first is None or first.start is None or last.end is None:
        return None
    early = first.start.astimezone(UTC) < last.end.astimezone(UTC)
    return Interval(start=first.start, end=last.end) if early else None


def _moved(span: x.Between, anchor: Anchor, start: datetime) -> Interval | None:
    """Read the end of a span as the first such day after its start: "from November to March"."""
    if not isinstance(span.last, x.Month | x.Date | x.DayOfMonth | x.Weekday):
        return None
    later = _resolve(span.last, Anchor(at=start, week_start=anchor.week_start, side="coming"))
    if later is None or later.end is None or later.end.astimezone(UTC) <= start.astimezone(UTC):
        return None
    return later


def _bounded(bounded: x.Bounded, anchor: Anchor) -> Interval | None:
    side = anchor.side or ("past" if bounded.bound == "since" else None)
    span = _resolve(bounded.point, Anchor(at=anchor.at, week_start=anchor.week_start, side=side))
    if span is None:
        return None
    match bounded.bound:
        case "since":
            return Interval(start=span.start, end=None)
        case "after":
            return Interval(start=span.end, end=None)
        case "before":
            return Interval(start=None, end=span.start)
        case "until":
            return Interval(start=None, end=span.end)
        case _:
            assert_never(bounded.bound)


def _rolling_clock(rolling: x.Rolling, anchor: Anchor) -> Interval:
    length = timedelta(hours=rolling.count) if rolling.unit == "hour" else timedelta(minutes=rolling.count)
    other = (anchor.at.astimezone(UTC) + length).astimezone(anchor.zone)
    return Interval(start=other, end=anchor.at) if rolling.count < 0 else Interval(start=anchor.at, end=other)


def _days(point: x.Point, anchor: Anchor) -> tuple[date, date]:
    """Return the first day of a point and the day after its last. Raises ValueError where there is none."""
    match point:
        case x.Rolling():
            return _rolling_days(point, anchor.today)
        case x.Period():
            return _period(point, anchor)
        case x.Month():
            start = _month(point, anchor)
            return start, add_months(start, 1)
        case x.Quarter():
            start = _quarter(point, anchor)
            return start, add_months(start, 3)
        case x.Year():
            return date(point.year, 1, 1), date(point.year + 1, 1, 1)
        case x.WeekOf():
            start = _week(_day(point.day, anchor), anchor.week_start)
            return start, start + timedelta(days=7)
        case x.PartOfDay():
            return _one(_day(point.day, anchor))
        case _:
            return _one(_day(point, anchor))


def _day(point: x.DayLike, anchor: Anchor) -> date:
    match point:
        case x.Day():
            return anchor.today + timedelta(days=point.offset)
        case x.Distance():
            return _shifted(anchor.today, point.count, point.unit)
        case x.Weekday():
            return _weekday(point, anchor)
        case x.Date():
            return _date(point, anchor)
        case x.DayOfMonth():
            return _day_of_month(point, anchor)
        case _:
            assert_never(point)


def _one(day: date) -> tuple[date, date]:
    return day, day + timedelta(days=1)


def _week(day: date, week_start: int) -> date:
    return day - timedelta(days=(day.weekday() - week_start) % 7)


def add_months(day: date, months: int) -> date:
    """Return the same day of another month, or that month's last where it is shorter."""
    index = 12 * day.year + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _shifted(day: date, count: int, unit: str) -> date:
    if unit in _DAYS_OF:
        return day + timedelta(days=count * _DAYS_OF[unit])
    return add_months(day, count * _MONTHS_OF[unit])


def _rolling_days(rolling: x.Rolling, today: date) -> tuple[date, date]:
    if rolling.unit == "quarter":
        start = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1)
        other = add_months(start, 3 * rolling.count)
        return (other, start) if rolling.count < 0 else (add_months(start, 3), add_months(other, 3))
    if rolling.count < 0:
        return _shifted(today, rolling.count, rolling.unit), today
    tomorrow = today + timedelta(days=1)
    return tomorrow, _shifted(tomorrow, rolling.count, rolling.unit)


def _period(period: x.Period, anchor: Anchor) -> tuple[date, date]:
    today = anchor.today
    match period.unit:
        case "week":
            start = _week(today, anchor.week_start) + timedelta(days=7 * period.shift)
            return start, start + timedelta(days=7)
        case "weekend":
            saturday = _week(today, 0) + timedelta(days=5 + 7 * period.shift)
            return saturday, saturday + timedelta(days=2)
        case "month":
            start = add_months(today.replace(day=1), period.shift)
        case "quarter":
            start = add_months(date(today.year, 3 * ((today.month - 1) // 3) + 1, 1), 3 * period.shift)
        case "year":
            start = date(today.year + period.shift, 1, 1)
        case _:
            assert_never(period.unit)
    return start, add_months(start, _MONTHS_OF[period.unit])


def _weekday(weekday: x.Weekday, anchor: Anchor) -> date:
    today = anchor.today
    if weekday.week is not None:
        start = _week(today, anchor.week_start) + timedelta(days=7 * weekday.week)
        return start + timedelta(days=(weekday.weekday - anchor.week_start) % 7)
    side = weekday.side or anchor.side or "coming"
    if side == "past":
        return today - timedelta(days=(today.weekday() - weekday.weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday.weekday - today.weekday() - 1) % 7 + 1)


def _date(point: x.Date, anchor: Anchor) -> date:
    if point.year is not None:
        day = date(point.year, point.month, point.day)
        if point.weekday is not None and day.weekday() != point.weekday:
            msg = "the weekday contradicts the date"
            raise ValueError(msg)
        return day
    rare = point.weekday is not None or (point.month, point.day) == (2, 29)
    reach, this_year = (_FAR if rare else 1), anchor.today.year
    years = range(max(1, this_year - reach), min(9999, this_year + reach) + 1)
    near = [_existing(year, point.month, point.day) for year in years]
    return _pick([day for day in near if day is not None and point.weekday in {None, day.weekday()}], anchor)


def _existing(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None


def _day_of_month(point: x.DayOfMonth, anchor: Anchor) -> date:
    months = [add_months(anchor.today.replace(day=1), shift) for shift in range(-14, 15)]
    near = [_existing(month.year, month.month, point.day) for month in months]
    return _pick([day for day in near if day is not None and point.weekday in {None, day.weekday()}], anchor)


def _month(point: x.Month, anchor: Anchor) -> date:
    today = anchor.today
    if point.year is not None:
        return date(point.year, point.month, 1)
    this = date(today.year, point.month, 1)
    match point.side:
        case "this":
            return this
        case "last":
            return this if point.month < today.month else add_months(this, -12)
        case "next":
            return this if point.month > today.month else add_months(this, 12)
        case None:
            return _pick([add_months(this, -12), this, add_months(this, 12)], anchor, months=1)
        case _:
            assert_never(point.side)


def _quarter(point: x.Quarter, anchor: Anchor) -> date:
    this_year = anchor.today.year
    years = [point.year] if point.year is not None else [this_year - 1, this_year, this_year + 1]
    return _pick([date(year, 3 * point.quarter - 2, 1) for year in years], anchor, months=3)


def _pick(starts: list[date], anchor: Anchor, months: int = 0) -> date:
    """Choose among occurrences: the one that holds today, the one on the side of the tense, else the nearest.

    Raises ValueError where there is none.
    """
    today = anchor.today
    if months:
        for start in starts:
            if start <= today < add_months(start, months):
                return start
    past = [start for start in starts if start <= today]
    coming = [start for start in starts if start >= today]
    if anchor.side == "past" and past:
        return max(past)
    if anchor.side == "coming" and coming:
        return min(coming)
    return min(starts, key=lambda start: (abs(start - today), start < today))
