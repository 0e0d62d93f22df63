"""A place in a text where a detector saw personal data."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What was seen."""

    EMAIL = "email"
    TELEPHONE = "telephone"
    AGE = "age"
    #: a possible name; listed for a person's reading, never removed by a machine
    NAME = "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The half-open range `[start, end)` of a text, what was seen there, and the rule that saw it."""

    kind: Kind
    start: int
    end: int
    rule: str
