"""The productions of single points in time. Each docstring is the rule in EBNF; words in capitals are kinds of tokens."""

from collections.abc import Callable
from typing import cast

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.cursor import Cursor
from pipelines.resolution.structured.tokens import Kind

_MODIFIERS: tuple[Kind, ...] = ("this", "last", "past", "next", "coming")
_SHIFT = {"this": 0, "last": -1, "past": -1, "next": 1, "coming": 1}
_PERIODS = ("week", "month", "quarter", "year", "weekend")
_DATE_UNITS = ("day", "week", "month", "year")
_ROLLING_UNITS = ("minute", "hour", "day", "week", "month", "quarter", "year")
_MONTH_SIDES: dict[str, x.MonthSide] = {
    "this": "this",
    "last": "last",
    "past": "last",
    "next": "next",
    "coming": "next",
}


class Points(Cursor):
    """Reads one point at a time."""

    def point(self) -> x.Point | None:
        """Rule `point = part_of_day | rolling | distance | week_of | day_like | quarter | month | period | year`."""
        productions: tuple[Callable[[], x.Point | None], ...] = (
            self.part_of_day,
            self.rolling,
            self.distance,
            self.week_of,
            self.day_like,
            self.quarter,
            self.month,
            self.period,
            self.year,
        )
        return self.first(*productions)

    def day_like(self) -> x.DayLike | None:
        """Rule `day_like = weekday_of_week | date | weekday | day_of_month | DAY_WORD | distance`."""
        productions: tuple[Callable[[], x.DayLike | None], ...] = (
            self.weekday_of_week,
            self.date,
            self.iso_date,
            self.day_of_month,
            self.weekday,
            self.day_word,
            self.distance,
        )
        return self.first(*productions)

    # parts of a day

    def part_of_day(self) -> x.PartOfDay | None:
        """Rule `part_of_day = THIS_PART | LAST_PART | part_of_this_day | part_of_named_day | day_then_part`."""
        if (part := self.take("this_part")) is not None:
            return x.PartOfDay(part=cast("x.Part", part), day=x.Day(offset=0))
        if (part := self.take("last_part")) is not None:
            return x.PartOfDay(part=cast("x.Part", part), day=x.Day(offset=-1))
        return self.first(self.part_of_this_day, self.part_of_named_day, self.day_then_part)

    def part_of_this_day(self) -> x.PartOfDay | None:
        """Rule `part_of_this_day = (THIS | LAST), PART | [ARTICLE], PART, (THIS | LAST)`."""
        self.take("article")
        before = self.modifier()
        part = self.take("part")
        modifier = before or (self.modifier() if part is not None else None)
        if part is None or modifier not in {"this", "last"}:
            return None
        return x.PartOfDay(part=cast("x.Part", part), day=x.Day(offset=_SHIFT[modifier]))

    def part_of_named_day(self) -> x.PartOfDay | None:
        """Rule `part_of_named_day = [ARTICLE], PART, OF, day_like`."""
        self.take("article")
        part = self.take("part")
        if part is None or not self.skip("of"):
            return None
        self.take("article") if not self.peek("number") else None
        day = self.day_like()
        return None if day is None else x.PartOfDay(part=cast("x.Part", part), day=day)

    def day_then_part(self) -> x.PartOfDay | None:
        """Rule `day_then_part = day_like, [IN | ON | OF], [ARTICLE], PART`."""
        day = self.day_like()
        if day is None:
            return None
        self.take("in", "on", "of")
        self.take("article")
        part = self.take("part")
        return None if part is None else x.PartOfDay(part=cast("x.Part", part), day=day)

    # distances and periods

    def modifier(self) -> Kind | None:
        """Rule `modifier = THIS | LAST | PAST | NEXT | COMING | THIS, (PAST | COMING)`."""
        for kind in _MODIFIERS:
            if self.skip(kind):
                if kind == "this":
                    return "past" if self.skip("past") else "coming" if self.skip("coming") else kind
                return kind
        return None

    def rolling(self) -> x.Rolling | None:
        """Rule `rolling = [ARTICLE], modifier, COUNT, UNIT | [ARTICLE], COUNT, (modifier, UNIT | UNIT, modifier)`."""
        if not self.peek("number"):
            self.take("article")
        modifier = self.modifier()
        count = self.count()
        if count is None:
            return None
        counted_first = modifier is None
        modifier = modifier or self.modifier()
        plural = self.peek("plural")
        unit = self.take("unit")
        if unit is None or (modifier is None and count == 1) or (count > 1 and counted_first and not plural):
            return None
        modifier = modifier or self.attempt(self.trailing_modifier)
        if modifier is None or modifier == "this":
            return None
        if unit == "fortnight":
            unit, count = "week", 2 * count
        if unit not in _ROLLING_UNITS:
            return None
        return x.Rolling(count=_SHIFT[modifier] * count, unit=cast("x.RollingUnit", unit))

    def count(self) -> int | None:
        """Rule `count = NUMBER | [ARTICLE], COUPLE`."""
        return self.first(self._couple, lambda: self.number("number"))

    def _couple(self) -> int | None:
        self.take("article")
        return self.number("couple")

    def distance(self) -> x.Distance | None:
        """Rule `distance = (AGO_BEFORE | IN), count, UNIT | count, UNIT, (AGO | HENCE | (FROM | AFTER | BEFORE), today)`."""
        before = "ago_before" if self.skip("ago_before") else "in" if self.skip("in") else None
        count = self.count()
        unit = self.take("unit")
        if count is None or unit is None:
            return None
        sign = (-1 if before == "ago_before" else 1) if before is not None else self._side_after()
        if sign is None:
            return None
        if unit == "fortnight":
            unit, count = "week", 2 * count
        if unit not in _DATE_UNITS:
            return None
        return x.Distance(count=sign * count, unit=cast("x.DateUnit", unit))

    def _side_after(self) -> int | None:
        if self.skip("ago"):
            return -1
        if self.skip("hence"):
            return 1
        sign = 1 if self.skip("from", "after") else -1 if self.skip("before") else None
        return sign if self.take("day_word") == 0 else None

    def period(self) -> x.Period | None:
        """Rule `period = [ARTICLE], (modifier, UNIT | UNIT, modifier)`."""
        self.take("article")
        modifier = self.modifier()
        unit = self.take("unit")
        if modifier is None and unit is not None:
            modifier = self.attempt(self.trailing_modifier)
        if modifier is None or unit not in _PERIODS:
            return None
        return x.Period(unit=cast("x.PeriodUnit", unit), shift=_SHIFT[modifier])

    def week_of(self) -> x.WeekOf | None:
        """Rule `week_of = [ARTICLE], UNIT, OF, day_like` (the unit is the week)."""
        self.take("article")
        if self.take("unit") != "week" or not self.skip("of"):
            return None
        day = self.day_like()
        return None if day is None else x.WeekOf(day=day)

    # days

    def day_word(self) -> x.Day | None:
        """Rule `day_word = DAY_WORD`."""
        offset = self.take("day_word")
        return x.Day(offset=offset) if isinstance(offset, int) else None

    def weekday_of_week(self) -> x.Weekday | None:
        """Rule `weekday_of_week = WEEKDAY, [OF | IN | FROM], period | period, [ON], [ARTICLE], WEEKDAY`."""
        weekday = self.take("weekday")
        if weekday is not None:
            self.take("of", "in", "from")
            period = self.period()
        else:
            period = self.period()
            if period is None:
                return None
            self.take("on")
            self.take("article")
            weekday = self.take("weekday")
        if period is None or period.unit != "week" or not isinstance(weekday, int):
            return None
        return x.Weekday(weekday=weekday, week=period.shift)

    def weekday(self) -> x.Weekday | None:
        """Rule `weekday = [ARTICLE], (modifier, WEEKDAY | WEEKDAY, [modifier])`."""
        self.take("article")
        modifier = self.modifier()
        weekday = self.take("weekday")
        if not isinstance(weekday, int):
            return None
        if modifier is None:
            modifier = self.attempt(self.trailing_modifier)
        match modifier:
            case "last" | "next":
                return x.Weekday(weekday=weekday, week=_SHIFT[modifier])
            case "past":
                return x.Weekday(weekday=weekday, side="past")
            case "this" | "coming":
                return x.Weekday(weekday=weekday, side="coming")
            case _:
                return x.Weekday(weekday=weekday)

    def trailing_modifier(self) -> Kind | None:
        """Rule `trailing_modifier = modifier` (that does not belong to a unit or a name after it)."""
        modifier = self.modifier()
        blocked = any(self.peek(kind) for kind in ("unit", "weekday", "month", "part", "number"))
        return None if blocked else modifier

    def date(self) -> x.Date | None:
        """Rule `date = [WEEKDAY], ([ARTICLE], DAY, [OF], MONTH | MONTH, [ARTICLE], DAY), [[OF | IN], YEAR]`."""
        self.take("article")
        weekday = self.take("weekday")
        day_month = self.first(self._day_then_month, self._month_then_day)
        if day_month is None:
            return None
        day, month = day_month
        return x.Date(
            day=day,
            month=month,
            year=self.first(self._plain_year),
            weekday=weekday if isinstance(weekday, int) else None,
        )

    def _day_then_month(self) -> tuple[int, int] | None:
        self.take("article", comma=True) if not self.peek("number") else None
        day = self.number("ordinal", "number", "ordinal_word", high=31, comma=True)
        self.take("of")
        month = self.number("month", high=12)
        return None if day is None or month is None else (day, month)

    def _month_then_day(self) -> tuple[int, int] | None:
        month = self.number("month", high=12, comma=True)
        if month is None:
            return None
        if not self.peek("number"):
            self.take("article")
        day = self.number("ordinal", "number", "ordinal_word", high=31)
        return None if day is None else (day, month)

    def _plain_year(self) -> int | None:
        self.take("of", "in")
        return self.number("year", low=1000, high=2999, comma=True)

    def iso_date(self) -> x.Date | None:
        """Rule `iso_date = ISO` (with a day)."""
        parts = str(self.take("iso") or "").split("-")
        if len(parts) != 3:
            return None
        year, month, day = (int(part) for part in parts)
        return x.Date(day=day, month=month, year=year)

    def day_of_month(self) -> x.DayOfMonth | None:
        """Rule `day_of_month = [WEEKDAY], [ARTICLE], ORDINAL | [WEEKDAY], ARTICLE, NUMBER | WEEKDAY, NUMBER` (1 to 31)."""
        weekday = self.take("weekday")
        article = not self.peek("number") and self.skip("article")
        ordinal = self.number("ordinal", high=31)
        if ordinal is None and (article or weekday is not None):
            ordinal = self.number("number", high=31)
        if ordinal is None or any(self.peek(kind) for kind in ("month", "unit", "weekday", "number", "ordinal_word")):
            return None
        return x.DayOfMonth(day=ordinal, weekday=weekday if isinstance(weekday, int) else None)

    # months, quarters, years

    def month(self) -> x.Month | None:
        """Rule `month = ISO | [ARTICLE], (modifier, MONTH | MONTH, [modifier | [OF | IN], YEAR])`."""
        if self.peek("iso"):
            parts = str(self.take("iso")).split("-")
            return x.Month(month=int(parts[1]), year=int(parts[0])) if len(parts) == 2 else None
        self.take("article")
        modifier = self.modifier()
        month = self.number("month", high=12)
        if month is None:
            return None
        year = self.first(self._plain_year) if modifier is None else None
        if modifier is None and year is None:
            modifier = self.attempt(self.trailing_modifier)
        return x.Month(month=month, year=year, side=_MONTH_SIDES[modifier] if modifier is not None else None)

    def quarter(self) -> x.Quarter | None:
        """Rule `quarter = [ARTICLE], (QUARTER | ORDINAL, UNIT), [[OF], YEAR] | YEAR, QUARTER`."""
        self.take("article")
        year = self.number("year", low=1000, high=2999)
        value = self.take("quarter")
        if isinstance(value, int):
            quarter, year = value % 10, (value // 10) or year
        else:
            ordinal = self.number("ordinal", "ordinal_word", high=4)
            if year is not None or ordinal is None or self.take("unit") != "quarter":
                return None
            quarter = ordinal
        return x.Quarter(quarter=quarter, year=year or self.first(self._plain_year))

    def year(self) -> x.Year | None:
        """Rule `year = [[ARTICLE], UNIT, [OF]], YEAR` (the unit is the year)."""
        self.take("article")
        if self.peek("unit"):
            if self.take("unit") != "year":
                return None
            self.take("of")
        year = self.number("year", low=1000, high=2999)
        return None if year is None else x.Year(year=year)
