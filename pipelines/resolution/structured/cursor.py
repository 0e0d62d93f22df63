"""A place in a list of tokens: take the next one if it fits, or go back."""

from collections.abc import Callable, Sequence
from typing import Self, TypeVar

from pipelines.resolution.structured.tokens import Kind, Token

Found = TypeVar("Found")
_NO_MARK = frozenset({"", "'", "."})
_COMMA = frozenset({"", "'", ".", ",", ".,"})


class Cursor:
    """The place `at` in the tokens, and where the expression that is being read began.

    A mark of punctuation ends an expression, except a full stop (of an abbreviation: what follows it must fit anyway),
    a possessive, and, where a production says so, a comma.
    """

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.begin = 0

    def peek(self, kind: Kind) -> bool:
        """Say whether the next token is of a kind and may belong to the expression."""
        return self.at < len(self.tokens) and self._joined(_NO_MARK) and kind in self.tokens[self.at].readings

    def take(self, *kinds: Kind, comma: bool = False) -> int | str | None:
        """Take the next token if it is of one of the kinds; return its value, else None."""
        at = self.at
        if at >= len(self.tokens) or (
            at > self.begin and self.tokens[at - 1].mark not in (_COMMA if comma else _NO_MARK)
        ):
            return None
        readings = self.tokens[at].readings
        for kind in kinds:
            if kind in readings:
                self.at += 1
                return readings[kind]
        return None

    def take_kind(self, kinds: Sequence[Kind]) -> Kind | None:
        """Take the next token if it is of one of the kinds; return that kind."""
        if self.at < len(self.tokens) and self._joined(_NO_MARK):
            readings = self.tokens[self.at].readings
            for kind in kinds:
                if kind in readings:
                    self.at += 1
                    return kind
        return None

    def skip(self, *kinds: Kind) -> bool:
        """Take the next token if it is of one of the kinds; say whether it was."""
        return self.take(*kinds) is not None

    def number(self, *kinds: Kind, low: int = 1, high: int = 1000, comma: bool = False) -> int | None:
        """Take a number of one of the kinds between bounds, else nothing."""
        before = self.at
        value = self.take(*kinds, comma=comma)
        if isinstance(value, int) and low <= value <= high:
            return value
        self.at = before
        return None

    def attempt(self, production: Callable[[], Found | None]) -> Found | None:
        """Run a production; go back where it does not fit."""
        before = self.at
        found = production()
        if found is None:
            self.at = before
        return found

    def first(self, *productions: Callable[[], Found | None]) -> Found | None:
        """Return what the first production that fits gives."""
        for production in productions:
            if (found := self.attempt(production)) is not None:
                return found
        return None

    def choose(self, table: Sequence[tuple[frozenset[str], Callable[[Self], Found]]]) -> Found | None:
        """Return what the first production of a table gives; it tries only those that can begin with the next token."""
        if self.at >= len(self.tokens) or not self._joined(_COMMA):
            return None
        before = self.at
        kinds = self.tokens[before].readings
        for starts, production in table:
            if not starts.isdisjoint(kinds):
                found = production(self)
                if found is not None:
                    return found
                self.at = before
        return None

    def _joined(self, allowed: frozenset[str]) -> bool:
        return self.at == self.begin or self.tokens[self.at - 1].mark in allowed
