"""Expressions to English: `parse(render(x)) == x`, so that a stored window can be shown in words and read again."""

from typing import assert_never

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.languages.english import MONTHS, WEEKDAYS

_DAY_WORDS = {
    -2: "the day before yesterday", -1: "yesterday", 0: "today", 1: "tomorrow", 2: "the day after tomorrow",
}  # fmt: skip
_SHIFTS = {-1: "last", 0: "this", 1: "next"}
_SIDES = {"past": "past", "coming": "coming"}


def render(expression: x.Expression) -> str:
    """Return the English phrase of an expression. Raises KeyError where the grammar has no phrase for its numbers."""
    match expression:
        case x.Between():
            return f"between {render(expression.first)} and {render(expression.last)}"
        case x.Bounded():
            return f"{expression.bound} {render(expression.point)}"
        case _:
            return _point(expression)


def _point(point: x.Point) -> str:
    match point:
        case x.Rolling():
            return f"the {'last' if point.count < 0 else 'next'} {_count(abs(point.count), point.unit)}"
        case x.Period():
            return f"{_SHIFTS[point.shift]} {point.unit}"
        case x.Month():
            return _month(point)
        case x.Quarter():
            return f"Q{point.quarter}" + _year(point.year)
        case x.Year():
            return f"{point.year:04}"
        case x.WeekOf():
            return f"the week of {_day(point.day)}"
        case x.PartOfDay():
            return f"the {point.part} of {_day(point.day)}"
        case _:
            return _day(point)


def _day(day: x.DayLike) -> str:
    match day:
        case x.Day():
            return _DAY_WORDS[day.offset]
        case x.Distance():
            return f"{_count(-day.count, day.unit)} ago" if day.count < 0 else f"{_count(day.count, day.unit)} from now"
        case x.Weekday():
            return _weekday(day)
        case x.Date():
            weekday = "" if day.weekday is None else f"{WEEKDAYS[day.weekday]} "
            return f"{weekday}{day.day} {MONTHS[day.month - 1]}{_year(day.year)}"
        case x.DayOfMonth():
            return (
                f"the {_ordinal(day.day)}"
                if day.weekday is None
                else f"{WEEKDAYS[day.weekday]} the {_ordinal(day.day)}"
            )
        case _:
            assert_never(day)


def _weekday(weekday: x.Weekday) -> str:
    name = WEEKDAYS[weekday.weekday]
    if weekday.week is not None:
        return f"{name} of {_SHIFTS[weekday.week]} week"
    return name if weekday.side is None else f"{_SIDES[weekday.side]} {name}"


def _month(month: x.Month) -> str:
    name = MONTHS[month.month - 1]
    return f"{month.side} {name}" if month.side is not None else name + _year(month.year)


def _year(year: int | None) -> str:
    return "" if year is None else f" {year:04}"


def _count(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _ordinal(day: int) -> str:
    suffix = "th" if day in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"
