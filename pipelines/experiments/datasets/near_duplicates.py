"""Whether a text is nearly the same as one seen before: exact Jaccard similarity of shingles, found by an index.

Two sets whose Jaccard similarity is at least t share an element among the first |A| - ceil(t·|A|) + 1 of each, in any
one order of all elements (prefix filtering: Chaudhuri, Ganti, Kaushik, "A Primitive Operator for Similarity Joins",
ICDE 2006). So only texts that share one of few shingles are compared, and none that is similar enough is missed.
"""

import math
import re
from hashlib import blake2b

_SHINGLE = 5
#: enough of a text to tell it by; the rest of a very long one is not looked at
_LOOKED_AT = 4_000
_NO_WORD = re.compile(r"[\W_]+")


class NearDuplicates:
    """Texts seen so far. Two are nearly the same from `threshold` on (0 < threshold ≤ 1)."""

    def __init__(self, threshold: float = 0.8) -> None:
        if not 0 < threshold <= 1:
            msg = f"a similarity of {threshold} is no threshold"
            raise ValueError(msg)
        self._threshold = threshold
        self._texts: list[frozenset[int]] = []
        self._by_shingle: dict[int, list[int]] = {}

    def seen(self, text: str) -> bool:
        """Whether a text nearly the same as this one was added before."""
        shingles = _shingles(text)
        compared: set[int] = set()
        for shingle in self._prefix(shingles):
            for place in self._by_shingle.get(shingle, ()):
                if place not in compared:
                    compared.add(place)
                    if self._similar(shingles, self._texts[place]):
                        return True
        return False

    def add(self, text: str) -> None:
        """Remember a text."""
        shingles = _shingles(text)
        for shingle in self._prefix(shingles):
            self._by_shingle.setdefault(shingle, []).append(len(self._texts))
        self._texts.append(shingles)

    def _prefix(self, shingles: frozenset[int]) -> list[int]:
        length = len(shingles) - math.ceil(self._threshold * len(shingles)) + 1
        return sorted(shingles)[:length]

    def _similar(self, one: frozenset[int], other: frozenset[int]) -> bool:
        smaller, larger = sorted((len(one), len(other)))
        if smaller < self._threshold * larger:
            return False
        shared = len(one & other)
        return shared >= self._threshold * (smaller + larger - shared)


def _shingles(text: str) -> frozenset[int]:
    """Return hashes of every five neighbouring characters, case and punctuation aside; the whole of a shorter text."""
    plain = " ".join(_NO_WORD.split(text[:_LOOKED_AT].casefold())).strip()
    pieces = {plain[place : place + _SHINGLE] for place in range(max(1, len(plain) - _SHINGLE + 1))}
    return frozenset(
        int.from_bytes(blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=8).digest()) for piece in pieces
    )
