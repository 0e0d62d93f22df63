"""Two channels that compete for one budget: passages found by the text, and others found by keywords.

Both channels' candidates are ranked together against the text and cut to a budget, so a candidate of the second channel
that ranks well evicts a passage that would have been kept. That is what displacement measures; the number of returned
passages does not show it.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pipelines.experiments.retrievers.fusion import reciprocal_rank_fusion
from pipelines.experiments.retrievers.query import Query, Ranked, Retriever

#: scores each candidate of a pool against the text; higher is better
Rank = Callable[[str, Sequence[Ranked]], Awaitable[Sequence[float]]]


class TwoChannels:
    """A channel driven by the text and one driven by keywords, merged and truncated.

    Without keywords in the query the second channel is driven by the text itself, as a library does that extracts
    keywords from whatever it is given. With `rank` the pool is ranked against the text (a cross-encoder, say); without,
    the channels are merged by reciprocal rank.
    """

    def __init__(
        self,
        passages: Retriever,
        by_keywords: Retriever,
        rank: Rank | None = None,
        *,
        rank_name: str = "reciprocal rank",
        pool: int = 30,
    ) -> None:
        self._passages = passages
        self._by_keywords = by_keywords
        self._rank = rank
        self._rank_name = rank_name
        self._pool = pool

    @property
    def identity(self) -> str:
        """Return both channels, how the pool is ranked, and its size."""
        channels = f"{self._passages.identity} | {self._by_keywords.identity}"
        return f"two channels ({channels}) by {self._rank_name}, pool {self._pool}"

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Return the k best of both channels' candidates, each with the channel that found it first."""
        found = await self._passages.search(Query(text=query.text), self._pool)
        others = await self._by_keywords.search(Query(text=_keyword_text(query)), self._pool)
        if self._rank is None:
            return reciprocal_rank_fusion([found, others], k)
        known = {each.passage_id for each in found}
        pool = [*found, *(each for each in others if each.passage_id not in known)]
        scores = await self._rank(query.text, pool)
        order = sorted(range(len(pool)), key=lambda place: -scores[place])
        return tuple(pool[place] for place in order[:k])


@dataclass(frozen=True, slots=True, kw_only=True)
class Displacement:
    """What of one ranking another one of the same budget pushed out, and how much of that was relevant."""

    displaced: tuple[str, ...]
    entered: tuple[str, ...]
    relevant_displaced: int
    relevant_entered: int


def displacement(before: Sequence[str], after: Sequence[str], relevant: frozenset[str]) -> Displacement:
    """Compare two answers to the same turn by their passage ids."""
    kept_before, kept_after = set(before), set(after)
    displaced = tuple(each for each in before if each not in kept_after)
    entered = tuple(each for each in after if each not in kept_before)
    return Displacement(
        displaced=displaced,
        entered=entered,
        relevant_displaced=sum(each in relevant for each in displaced),
        relevant_entered=sum(each in relevant for each in entered),
    )


def _keyword_text(query: Query) -> str:
    if query.keywords is None or not query.keywords.all:
        return query.text
    return " ".join(query.keywords.all)
