"""Tokens to expressions. Each docstring is its own rule in EBNF; words in capitals are kinds of tokens.

    text = { expression | outside | token } ;

One pass from left to right, the longest production first, at most a fixed number of tokens looked at from each place:
the time is linear in the length of the text. What follows no rule is passed over.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.points import Points
from pipelines.resolution.structured.tokens import Kind

Bound = Literal["since", "after", "before", "until"]

#: a token of these kinds can be an expression by itself
_WHOLE = frozenset({"day_word", "weekday", "month", "year", "iso", "this_part", "last_part", "quarter", "ordinal"})
_NEVER_FIRST = frozenset({"of", "and", "to", "hence", "ago", "plural", "on", "now", "except"})
_SPAN_STARTS: tuple[Kind, ...] = ("article", "number", "ordinal", "ordinal_word", "weekday", "month")
_BOUNDS: tuple[Bound, ...] = ("since", "after", "before", "until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """An expression, or None for a known phrase outside the set, over `tokens[first:last]`."""

    expression: x.Expression | None
    first: int
    last: int


class Grammar(Points):
    """Reads one list of tokens, once."""

    def text(self) -> list[Parsed]:
        """Rule `text = { expression | outside | token }`."""
        found: list[Parsed] = []
        while self.at < len(self.tokens):
            begin = self.begin = self.at
            if self._may_begin():
                if self.outside():
                    found.append(Parsed(expression=None, first=begin, last=self.at))
                    continue
                expression = self.expression()
                if expression is not None:
                    found.append(Parsed(expression=expression, first=begin, last=self.at))
                    continue
            self.at = begin + 1
        return found

    def _may_begin(self) -> bool:
        """Say whether an expression can begin here, so that most words cost no production."""
        kinds = self.tokens[self.at].readings.keys()
        if not kinds:
            return False
        if kinds & _WHOLE:
            return True
        following = self.at + 1
        return following < len(self.tokens) and bool(self.tokens[following].readings) and not kinds <= _NEVER_FIRST

    def expression(self) -> x.Expression | None:
        """Rule `expression = span | bounded | point`."""
        return self.choose(_EXPRESSIONS)

    def span(self) -> x.Between | None:
        """Rule `span = BETWEEN, end, AND, end | FROM, end, TO, end | open_span`."""
        return self.first(lambda: self._span("between", "and"), lambda: self._span("from", "to"), self.open_span)

    def _span(self, opening: Kind, closing: Kind) -> x.Between | None:
        if not self.skip(opening):
            return None
        first = self.end()
        if first is None or not self.skip(closing):
            return None
        self.take("to")
        last = self.end()
        return None if last is None else shared(first, last)

    def open_span(self) -> x.Between | None:
        """Rule `open_span = date, TO, date | [ARTICLE], NUMBER, TO, date | weekday, TO, weekday | month, TO, month`."""
        if not any(self.peek(kind) for kind in _SPAN_STARTS):
            return None
        first = self.end()
        if first is None or not self.skip("to"):
            return None
        last = self.end()
        if last is None:
            return None
        match first, last:
            case (
                (x.Date() | x.DayOfMonth(), x.Date())
                | (x.Date(), x.DayOfMonth())
                | (x.Weekday(), x.Weekday())
                | (x.Month(), x.Month())
            ):
                return shared(first, last)
            case _:
                return None

    def end(self) -> x.Point | None:
        """Rule `end = NOW | point | [ARTICLE], NUMBER` (1 to 31)."""
        return self._now() or self.point() or self.attempt(self._bare_day)

    def _now(self) -> x.Day | None:
        return x.Day(offset=0) if self.skip("now") else None

    def _bare_day(self) -> x.DayOfMonth | None:
        self.take("article")
        day = self.number("ordinal", "digits", "ordinal_word", high=31)
        return None if day is None else x.DayOfMonth(day=day)

    def bounded(self) -> x.Bounded | None:
        """Rule `bounded = (SINCE | AFTER | BEFORE | UNTIL, [TO]), point`."""
        for bound in _BOUNDS:
            if self.skip(bound):
                self.take("to")
                point = self.point()
                return None if point is None else x.Bounded(bound=bound, point=point)
        return None

    def outside(self) -> bool | None:
        """Rule `outside = part_of_period | week_after_next | offset | compound` (known, and left alone)."""
        return self.choose(_OUTSIDE)

    def part_of_period(self) -> bool | None:
        """Rule `part_of_period = [ARTICLE], (EDGE, [OF] | (LAST | ORDINAL), UNIT, (OF | IN)), (unit | point)`."""
        self.take("article")
        if self.skip("edge"):
            self.take("of")
        elif self.take("last", "ordinal", "ordinal_word") is not None:
            unit = self.take("unit", "weekday")
            if unit is None or unit == "quarter" or not self.skip("of", "in"):
                return None
        else:
            return None
        return True if self.first(self.point, self._the_unit) is not None else None

    def _the_unit(self) -> bool | None:
        self.take("article")
        return self.skip("unit") or None

    def week_after_next(self) -> bool | None:
        """Rule `week_after_next = [ARTICLE], (UNIT | WEEKDAY | MONTH), (AFTER | BEFORE), (NEXT | LAST)`."""
        self.take("article")
        return (
            self.skip("unit", "weekday", "month") and self.skip("after", "before") and self.skip("next", "last")
        ) or None

    def offset(self) -> bool | None:
        """Rule `offset = [IN], [count], UNIT, (BEFORE | AFTER | FROM | SINCE), point` (but from today: a distance)."""
        self.take("in")
        self.count()
        if not self.skip("unit") or self.take("before", "after", "from", "since") is None:
            return None
        point = self.point()
        return None if point is None or point == x.Day(offset=0) else True

    def compound(self) -> bool | None:
        """Rule `compound = count, UNIT, AND, distance`."""
        if self.count() is None or not self.skip("unit") or not self.skip("and"):
            return None
        return True if self.distance() is not None else None


def shared(first: x.Point, last: x.Point) -> x.Between:
    """Give one end what only the other says: "from 3 to 5 June", "from April 9 to 17", "from April to June 2017"."""
    match first, last:
        case x.DayOfMonth(), x.Date() if first.day < last.day:
            first = x.Date(day=first.day, month=last.month, year=last.year)
        case x.Date(), x.DayOfMonth() if first.day < last.day:
            last = x.Date(day=last.day, month=first.month, year=first.year)
        case x.Date(), x.Date() if first.year is None and (first.month, first.day) < (last.month, last.day):
            first = x.Date(day=first.day, month=first.month, year=last.year, weekday=first.weekday)
        case x.Month(), x.Month() if first.year is None and first.side is None and first.month < last.month:
            first = x.Month(month=first.month, year=last.year)
        case _:
            pass
    return x.Between(first=first, last=last)


_EXPRESSIONS: tuple[tuple[frozenset[str], Callable[[Grammar], x.Expression | None]], ...] = (
    (frozenset({"between", "from", *_SPAN_STARTS}), Grammar.span),
    (frozenset(_BOUNDS), Grammar.bounded),
    (frozenset(get_args(Kind)), Grammar.point),
)
_OUTSIDE: tuple[tuple[frozenset[str], Callable[[Grammar], bool | None]], ...] = (
    (frozenset({"article", "edge", "last", "ordinal", "ordinal_word"}), Grammar.part_of_period),
    (frozenset({"article", "unit", "weekday", "month"}), Grammar.week_after_next),
    (frozenset({"in", "number", "couple", "article", "unit"}), Grammar.offset),
    (frozenset({"number", "couple", "article"}), Grammar.compound),
)
