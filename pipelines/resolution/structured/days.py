"""The productions of days and of what days are counted by, each with its rule in EBNF; capitals are kinds of tokens."""

from collections.abc import Callable
from typing import cast

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.cursor import Cursor
from pipelines.resolution.structured.tokens import Kind

_MODIFIERS: tuple[Kind, ...] = ("this", "last", "past", "next", "coming")
SHIFT = {"this": 0, "last": -1, "past": -1, "next": 1, "coming": 1}
_PERIODS = ("week", "month", "quarter", "year", "weekend")
_DATE_UNITS = ("day", "week", "month", "year")


class Days(Cursor):
    """Reads one day at a time."""

    def day_like(self) -> x.DayLike | None:
        """Rule `day_like = weekday_of_week | date | iso_date | day_of_month | weekday | day_word | distance`."""
        return self.choose(_DAYS)

    def modifier(self) -> Kind | None:
        """Rule `modifier = THIS | LAST | PAST | NEXT | COMING | THIS, (PAST | COMING)`."""
        kind = self.take_kind(_MODIFIERS)
        return self.take_kind(("past", "coming")) or kind if kind == "this" else kind

    def trailing_modifier(self) -> Kind | None:
        """Rule `trailing_modifier = modifier` (that does not belong to a unit or a name after it)."""
        modifier = self.modifier()
        blocked = any(self.peek(kind) for kind in ("unit", "weekday", "month", "part", "number"))
        return None if blocked else modifier

    def count(self) -> int | None:
        """Rule `count = NUMBER | [ARTICLE], COUPLE`."""
        return self.first(self._couple, lambda: self.number("number"))

    def _couple(self) -> int | None:
        self.take("article")
        return self.number("couple")

    def distance(self) -> x.Distance | None:
        """Rule `distance = (AGO_BEFORE | IN), count, UNIT | count, UNIT, (AGO | HENCE | FROM, today)`."""
        before = "ago_before" if self.skip("ago_before") else "in" if self.skip("in") else None
        rate = before == "in" and self.peek("article")  # "how much in a day"
        count = self.count()
        unit = self.take("unit")
        if count is None or unit is None or (rate and unit == "day"):
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
        return x.Period(unit=cast("x.PeriodUnit", unit), shift=SHIFT[modifier])

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
                return x.Weekday(weekday=weekday, week=SHIFT[modifier])
            case "past":
                return x.Weekday(weekday=weekday, side="past")
            case "this" | "coming":
                return x.Weekday(weekday=weekday, side="coming")
            case _:
                return x.Weekday(weekday=weekday)

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
            year=self.first(self.plain_year),
            weekday=weekday if isinstance(weekday, int) else None,
        )

    def _day_then_month(self) -> tuple[int, int] | None:
        self.take("article", comma=True) if not self.peek("digits") else None
        day = self.number("ordinal", "digits", "ordinal_word", high=31, comma=True)
        self.take("of")
        month = self.number("month", high=12)
        return None if day is None or month is None else (day, month)

    def _month_then_day(self) -> tuple[int, int] | None:
        month = self.number("month", high=12, comma=True)
        if month is None:
            return None
        if not self.peek("digits"):
            self.take("article")
        day = self.number("ordinal", "digits", "ordinal_word", high=31)
        return None if day is None else (day, month)

    def plain_year(self) -> int | None:
        """Rule `plain_year = [OF | IN], YEAR`."""
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
        """Rule `day_of_month = [WEEKDAY], [ARTICLE], ORDINAL | [WEEKDAY], ARTICLE, DIGITS | WEEKDAY, DIGITS`."""
        weekday = self.take("weekday")
        article = not self.peek("digits") and self.skip("article")
        ordinal = self.number("ordinal", high=31)
        if ordinal is None and (article or weekday is not None):
            ordinal = self.number("digits", high=31)
        if ordinal is None or any(self.peek(kind) for kind in ("month", "unit", "weekday", "number", "ordinal_word")):
            return None
        return x.DayOfMonth(day=ordinal, weekday=weekday if isinstance(weekday, int) else None)


MODIFIED = frozenset({"article", *_MODIFIERS})
_DAYS: tuple[tuple[frozenset[str], Callable[[Days], x.DayLike | None]], ...] = (
    (MODIFIED | {"weekday"}, Days.weekday_of_week),
    (frozenset({"article", "weekday", "digits", "ordinal", "ordinal_word", "month"}), Days.date),
    (frozenset({"iso"}), Days.iso_date),
    (frozenset({"weekday", "article", "ordinal"}), Days.day_of_month),
    (MODIFIED | {"weekday"}, Days.weekday),
    (frozenset({"day_word"}), Days.day_word),
    (frozenset({"ago_before", "in", "number", "couple", "article"}), Days.distance),
)
ANY_DAY = frozenset[str]().union(*(starts for starts, _ in _DAYS))
