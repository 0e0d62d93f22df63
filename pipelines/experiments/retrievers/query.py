"""What a retriever is asked and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Keywords:
    """Two lists for a channel that matches keywords: themes and relations (high level), things by name (low level)."""

    high_level: tuple[str, ...] = ()
    low_level: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Return both lists, names first."""
        return self.low_level + self.high_level


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is searched: a text, and keywords for a retriever that has a channel for them."""

    text: str
    keywords: Keywords | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One passage that a search returned; its place in the answer is its rank."""

    passage_id: str
    text: str
    score: float
    title: str = ""
    kind: str = "document"
    source_date: str | None = None
    channel: str = "passages"


class Retriever(Protocol):
    """Searches one collection."""

    @property
    def identity(self) -> str:
        """Return a line that names the method, its parameters and its collection, equal where nothing differs."""
        ...

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Return at most k passages, the best first, each passage once; none is an answer too."""
        ...
