"""Retrieval by vectors: exact search over all of a collection, with embeddings from whoever makes them."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.experiments.datasets.passage import Passage
from pipelines.experiments.retrievers.bm25 import collection_hash, ranked, searched_text
from pipelines.experiments.retrievers.query import Query, Ranked

Vectors = npt.NDArray[np.float32]
#: texts in, one row each out
Embed = Callable[[Sequence[str]], Awaitable[Vectors]]


class Dense:
    """Cosine similarity of the query's vector with every passage's; equal scores keep the order of the collection."""

    def __init__(self, passages: Sequence[Passage], vectors: Vectors, *, embed: Embed, model: str) -> None:
        if len(passages) != len(vectors):
            msg = f"{len(passages)} passages and {len(vectors)} vectors"
            raise ValueError(msg)
        self._passages = tuple(passages)
        self._vectors = _unit(vectors)
        self._embed = embed
        self._identity = self.identity_of(passages, model)

    @staticmethod
    def identity_of(passages: Sequence[Passage], model: str) -> str:
        """Return the identity of a retriever over these passages, before they are embedded."""
        return f"dense {model} {collection_hash(passages)}"

    @staticmethod
    async def vectors_of(passages: Sequence[Passage], embed: Embed) -> Vectors:
        """Embed the passages as they are searched."""
        return await embed([searched_text(each) for each in passages])

    @property
    def identity(self) -> str:
        """Return the model and the digest of the collection."""
        return self._identity

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Return the k nearest passages; keywords are not looked at."""
        (vector,) = _unit(await self._embed([query.text]))
        scores = self._vectors @ vector
        found = np.argsort(-scores, kind="stable")[:k]
        return tuple(ranked(self._passages[place], float(scores[place]), "passages") for place in found)


def _unit(vectors: Any) -> Vectors:
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)
