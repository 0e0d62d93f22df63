"""The productions of points in time, each with its rule in EBNF; words in capitals are kinds of tokens."""

from collections.abc import Callable
from typing import cast

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.days import ANY_DAY, MODIFIED, SHIFT, Days

_ROLLING_UNITS = ("minute", "hour", "day", "week", "month", "quarter", "year")
_MONTH_SIDES: dict[str, x.MonthSide] = {
    "this": "this",
    "last": "last",
    "past": "last",
    "next": "next",
    "coming": "next",
}


class Points(Days):
    """Reads one point at a time."""

    def point(self) -> x.Point | None:
        """Rule `point = part_of_day | rolling | day | week_of | quarter | month | period | year`."""
        return self.choose(_POINTS)

    def part_of_day(self) -> x.PartOfDay | None:
        """Rule `part_of_day = THIS_PART | LAST_PART | part_of_this_day | part_of_named_day`."""
        if (part := self.take("this_part")) is not None:
            return x.PartOfDay(part=cast("x.Part", part), day=x.Day(offset=0))
        if (part := self.take("last_part")) is not None:
            return x.PartOfDay(part=cast("x.Part", part), day=x.Day(offset=-1))
        return self.first(self.part_of_this_day, self.part_of_named_day)

    def part_of_this_day(self) -> x.PartOfDay | None:
        """Rule `part_of_this_day = (THIS | LAST), PART | [ARTICLE], PART, (THIS | LAST)`."""
        self.take("article")
        before = self.modifier()
        part = self.take("part")
        modifier = before or (self.modifier() if part is not None else None)
        if part is None or modifier not in {"this", "last"}:
            return None
        return x.PartOfDay(part=cast("x.Part", part), day=x.Day(offset=SHIFT[modifier]))

    def part_of_named_day(self) -> x.PartOfDay | None:
        """Rule `part_of_named_day = [ARTICLE], PART, OF, day_like`."""
        self.take("article")
        part = self.take("part")
        if part is None or not self.skip("of"):
            return None
        self.take("article") if not self.peek("number") else None
        day = self.day_like()
        return None if day is None else x.PartOfDay(part=cast("x.Part", part), day=day)

    def day(self) -> x.DayLike | x.PartOfDay | None:
        """Rule `day = day_like, [[IN | ON | OF], [ARTICLE], PART]`."""
        day = self.day_like()
        if day is None:
            return None
        part: x.Part | None = self.attempt(self._part_after)
        return day if part is None else x.PartOfDay(part=part, day=day)

    def _part_after(self) -> x.Part | None:
        self.take("in", "on", "of")
        self.take("article")
        part = self.take("part")
        return None if part is None else cast("x.Part", part)

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
        return x.Rolling(count=SHIFT[modifier] * count, unit=cast("x.RollingUnit", unit))

    def week_of(self) -> x.WeekOf | None:
        """Rule `week_of = [ARTICLE], UNIT, OF, day_like` (the unit is the week)."""
        self.take("article")
        if self.take("unit") != "week" or not self.skip("of"):
            return None
        day = self.day_like()
        return None if day is None else x.WeekOf(day=day)

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
        year = self.first(self.plain_year) if modifier is None else None
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
        return x.Quarter(quarter=quarter, year=year or self.first(self.plain_year))

    def year(self) -> x.Year | None:
        """Rule `year = [[ARTICLE], UNIT, [OF]], YEAR` (the unit is the year)."""
        self.take("article")
        if self.peek("unit"):
            if self.take("unit") != "year":
                return None
            self.take("of")
        year = self.number("year", low=1000, high=2999)
        return None if year is None else x.Year(year=year)


_POINTS: tuple[tuple[frozenset[str], Callable[[Points], x.Point | None]], ...] = (
    (frozenset({"this_part", "last_part", "part", "article", "this", "last"}), Points.part_of_day),
    (MODIFIED | {"number", "couple"}, Points.rolling),
    (ANY_DAY, Points.day),
    (frozenset({"article", "unit"}), Points.week_of),
    (frozenset({"article", "year", "quarter", "ordinal", "ordinal_word"}), Points.quarter),
    (MODIFIED | {"iso", "month"}, Points.month),
    (MODIFIED | {"unit"}, Points.period),
    (frozenset({"article", "unit", "year"}), Points.year),
)
