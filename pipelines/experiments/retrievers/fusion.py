"""Several rankings made one."""

from collections.abc import Sequence
from dataclasses import replace

from pipelines.experiments.retrievers.query import Query, Ranked, Retriever

#: damps the lead of the first places; the value of the original paper
RANK_CONSTANT = 60
#: how deep every ranking is read before they are fused
DEPTH = 100


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Ranked]], k: int) -> tuple[Ranked, ...]:
    """Return the k passages with the highest sum of 1 / (60 + rank); ties keep the order of first appearance.

    Source: Cormack, Clarke and Büttcher 2009. The score of a returned passage is that sum.
    """
    sums: dict[str, float] = {}
    seen: dict[str, Ranked] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, start=1):
            sums[passage.passage_id] = sums.get(passage.passage_id, 0.0) + 1 / (RANK_CONSTANT + rank)
            seen.setdefault(passage.passage_id, passage)
    best = sorted(sums, key=lambda passage_id: -sums[passage_id])[:k]
    return tuple(replace(seen[passage_id], score=sums[passage_id]) for passage_id in best)


class Fused:
    """Several retrievers over the same passages, fused by reciprocal rank."""

    def __init__(self, retrievers: Sequence[Retriever]) -> None:
        self._retrievers = tuple(retrievers)

    @property
    def identity(self) -> str:
        """Return the identities of all of them."""
        return "rrf " + " + ".join(each.identity for each in self._retrievers)

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Search all of them and return the k best of the fused ranking."""
        return reciprocal_rank_fusion([await each.search(query, max(k, DEPTH)) for each in self._retrievers], k)
