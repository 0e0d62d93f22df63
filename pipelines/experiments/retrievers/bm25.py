"""Lexical retrieval with BM25, over one collection in memory."""

import hashlib
import re
from collections.abc import Iterable, Sequence

import numpy as np

from pipelines.experiments.datasets.passage import Passage
from pipelines.experiments.retrievers.query import Query, Ranked

#: Lucene's defaults. Nothing is stemmed and no word is stopped, so that no language is preferred.
K1 = 1.2
B = 0.75
_WORD = re.compile(r"\w+")


class Bm25:
    """BM25 as Lucene computes it (Kamphuis et al. 2020), by the library bm25s.

    Passages that share no word with the query are not found. Equal scores keep the order of the collection, so the same
    query gets the same answer on every machine.
    """

    def __init__(self, passages: Iterable[Passage], *, k1: float = K1, b: float = B, name: str = "passages") -> None:
        import bm25s  # noqa: PLC0415 - heavy to import

        self._passages = tuple(passages)
        self._name = name
        self._index = bm25s.BM25(method="lucene", k1=k1, b=b)
        self._index.index([split_words(searched_text(each)) for each in self._passages], show_progress=False)
        self._identity = f"bm25 lucene k1={k1} b={b} {name} {collection_hash(self._passages)}"

    @property
    def identity(self) -> str:
        """Return the parameters and the digest of the collection."""
        return self._identity

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Return at most k passages by score; keywords are not looked at."""
        scores = self.scores(query.text)
        if scores is None:
            return ()
        found = np.argsort(-scores, kind="stable")[:k]
        return tuple(
            ranked(self._passages[place], float(scores[place]), self._name) for place in found if scores[place] > 0
        )

    def scores(self, text: str) -> "np.typing.NDArray[np.float32] | None":
        """Return the score of every passage, in the order of the collection; None where no word is known."""
        words = [word for word in split_words(text) if word in self._index.vocab_dict]
        return np.asarray(self._index.get_scores(words)) if words else None


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def searched_text(passage: Passage) -> str:
    """Return what of a passage is searched: its text, after its title unless it begins with it."""
    if not passage.title or passage.text.startswith(passage.title):
        return passage.text
    return f"{passage.title}\n{passage.text}"


def ranked(passage: Passage, score: float, channel: str) -> Ranked:
    """Return a passage with its score."""
    return Ranked(passage_id=passage.passage_id, text=passage.text, title=passage.title, score=score, channel=channel)


def collection_hash(passages: Iterable[Passage]) -> str:
    """Return a short digest of the passages and their order."""
    digest = hashlib.sha256()
    for each in passages:
        digest.update(f"{each.passage_id}\x1f{each.title}\x1f{each.text}\x1e".encode())
    return digest.hexdigest()[:12]
