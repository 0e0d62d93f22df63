"""What the rules are given: a message as it was read, what the conversation was before it, and the limits."""

from dataclasses import dataclass

from pipelines.resolution.gate.reading import Reading
from pipelines.resolution.vocabulary import Lexicon


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many topic words a message may have and still be decided by a rule.

    Words of its own make a message searchable, and a wrong combination costs more than a missed one: lower limits miss
    more and combine less. The shipped values were chosen on the turns that `benchmarks/gate.py` reads.
    """

    #: topic words before the narrative
    rejection: int = 2
    choice: int = 8
    frame: int = 4
    reference: int = 8
    definite: int = 2
    open_set: int = 2
    two_place: int = 3
    connective: int = 2
    #: words, not topic words
    answer: int = 4
    #: whether messages of fewer than ten characters are skipped; off only to count what the skip costs
    skips: bool = True


@dataclass(slots=True)
class Message:
    """A message and what the rules may know of its conversation. Not frozen, for speed; no rule changes it."""

    text: str
    tokens: list[str]
    lexicon: Lexicon
    reading: Reading
    #: what the assistant has just said; empty where the visitor spoke last
    answered: str
    #: the last substantive message, if there is one
    before: str | None
    limits: Limits
