"""What a time phrase says, before anyone knows what day it is: a closed union of plain values.

An expression holds no instant, no time zone and no language. `resolve` gives it an anchor, `render` gives it
words, and `parse(render(x)) == x` for every expression that `check` accepts.
"""

from dataclasses import dataclass
from typing import Literal

DateUnit = Literal["day", "week", "month", "year"]
RollingUnit = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]
PeriodUnit = Literal["week", "month", "quarter", "year", "weekend"]
Part = Literal["morning", "afternoon", "evening", "night"]
#: which of several occurrences: the last completed, the coming one, the one of this year, or not said
Side = Literal["past", "coming"]
MonthSide = Literal["last", "this", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day counted from the anchor's: 0 today, 1 tomorrow, -2 the day before yesterday."""

    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """The day that lies `count` units away: negative for "3 days ago", positive for "in 3 days"."""

    count: int
    unit: DateUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolling:
    """`count` units that end (negative) or start (positive) at the anchor: "the last 3 days", "the next 2 weeks"."""

    count: int
    unit: RollingUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A calendar week, month, quarter, year or weekend: `shift` 0 is this one, -1 the last, 1 the next."""

    unit: PeriodUnit
    shift: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weekday:
    """A weekday (0 is Monday): of the calendar week at `week`, or the nearest on a side where `week` is None."""

    weekday: int
    week: int | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A day and a month, with a year if one was said; a weekday that was said too must agree."""

    day: int
    month: int
    year: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfMonth:
    """A day without a month: "on the 3rd"."""

    day: int
    weekday: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """A month by name, with a year or a word such as "last"."""

    month: int
    year: int | None = None
    side: MonthSide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarter:
    """A quarter by number."""

    quarter: int
    year: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """A year by number."""

    year: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekOf:
    """The calendar week that holds a day."""

    day: "DayLike"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOfDay:
    """A part of a day."""

    part: Part
    day: "DayLike"


DayLike = Day | Distance | Weekday | Date | DayOfMonth
Point = DayLike | Rolling | Period | Month | Quarter | Year | WeekOf | PartOfDay


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """From the start of one to the end of the other."""

    first: Point
    last: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A span with one open side: since its start, after its end, before its start, until its end."""

    bound: Literal["since", "after", "before", "until"]
    point: Point


Expression = Point | Between | Bounded
