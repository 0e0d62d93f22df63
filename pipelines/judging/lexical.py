"""The offline judge: grades a passage by the words it shares with the searched query and with the need.

It needs no model, no key and no network, and it is a measure of shared words, not of relevance: it takes a passage that
says the right thing in other words for a miss. `benchmarks/lexical_judge.py` measures what it is worth against people.
"""

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from pipelines.judging.verdict import (
    JudgeIdentity,
    PassageToJudge,
    PassageVerdict,
    RetrievalToJudge,
    RetrievalVerdict,
    Status,
    hidden_status,
    status_of_set,
)
from pipelines.judging.words import Stems, split_words

RUBRIC_VERSION = "lexical-v1"

#: Smallest share of the query's (the need's) word weight that earns grades 1, 2 and 3. The first was chosen on half of
#: the conversations of the MTRAG benchmark and is measured on the other half; see benchmarks/lexical_judge.py.
QUERY_THRESHOLDS = (0.55, 0.95, 1.45)
NEED_THRESHOLDS = (0.50, 0.85, 1.25)

#: BM25's saturation (k1, b) with a fixed typical length in words, so that a passage is graded without its neighbours.
#: Inverse document frequency within the handful of passages of one retrieval was tried and agreed less with people.
_K1 = 1.2
_B = 0.75
_TYPICAL_WORDS = 250

#: A message with fewer content words than this is elliptical; earlier visitor messages lend it their words, each
#: message further back counting half.
_ELLIPTICAL_BELOW = 3
_REMEMBERED_MESSAGES = 3
_FADING = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Stems to look for, each with its share of the weight; the shares of the query, and of the need, add up to 1."""

    query: Mapping[str, float]
    need: Mapping[str, float]
    stems: frozenset[str]


class LexicalJudge:
    """Grades by weighted word overlap; the same retrieval gets the same grades, whatever else is judged with it."""

    def __init__(self) -> None:
        self._stems = Stems()
        parameters = repr((QUERY_THRESHOLDS, NEED_THRESHOLDS, _K1, _B, _TYPICAL_WORDS, _ELLIPTICAL_BELOW, _FADING))
        self._identity = JudgeIdentity(
            judge="lexical",
            model="word-overlap",
            rubric_version=RUBRIC_VERSION,
            prompt_hash=hashlib.sha256(parameters.encode()).hexdigest(),
        )

    @property
    def identity(self) -> JudgeIdentity:
        """Return what goes on every verdict of this judge; the hash covers its thresholds."""
        return self._identity

    async def judge(self, retrievals: Sequence[RetrievalToJudge]) -> AsyncIterator[RetrievalVerdict]:
        """Grade each retrieval, in the order given."""
        for retrieval in retrievals:
            yield self.grade(retrieval)

    def grade(self, retrieval: RetrievalToJudge) -> RetrievalVerdict:
        """Grade one retrieval. Whether the passages are sufficient, or needed at all, shared words cannot tell."""
        wanted = self.wanted(retrieval)
        passages = tuple(self._grade_passage(passage, wanted) for passage in retrieval.passages)
        return RetrievalVerdict(
            tenant=retrieval.tenant,
            retrieval_id=retrieval.retrieval_id,
            status=status_of_set(passages),
            passages=passages,
        )

    def wanted(self, retrieval: RetrievalToJudge) -> Wanted:
        """Return the words to look for. The query stands in for a need without words, and the other way round."""
        query = _normalised(self._weights(retrieval.searched_query))
        need = _normalised(self._need(retrieval))
        return Wanted(query=query or need, need=need or query, stems=frozenset(query.keys() | need.keys()))

    def scores(self, passage: PassageToJudge, wanted: Wanted) -> tuple[float, float]:
        """Return the passage's share of the query's and of the need's word weight, from 0 to 2.2: repeats count."""
        words = split_words(passage.text or "")
        if passage.title:
            words += split_words(passage.title)
        found = Counter(filter(wanted.stems.__contains__, self._stems.of(words)))
        scale = _K1 * (1 - _B + _B * len(words) / _TYPICAL_WORDS)
        query_score = need_score = 0.0
        for stem, count in found.items():
            saturated = count * (_K1 + 1) / (count + scale)
            query_score += wanted.query.get(stem, 0.0) * saturated
            need_score += wanted.need.get(stem, 0.0) * saturated
        return query_score, need_score

    def _grade_passage(self, passage: PassageToJudge, wanted: Wanted) -> PassageVerdict:
        hidden = hidden_status(passage)
        if hidden is not None:
            return PassageVerdict(rank=passage.rank, passage_id=passage.passage_id, status=hidden)
        query_score, need_score = self.scores(passage, wanted)
        return PassageVerdict(
            rank=passage.rank,
            passage_id=passage.passage_id,
            status=Status.JUDGED,
            query_grade=_grade(query_score, QUERY_THRESHOLDS),
            need_grade=_grade(need_score, NEED_THRESHOLDS),
        )

    def _need(self, retrieval: RetrievalToJudge) -> dict[str, float]:
        weights = self._weights(retrieval.message)
        if len(weights) >= _ELLIPTICAL_BELOW:
            return weights
        earlier = [u.text for u in reversed(retrieval.conversation) if u.role == "visitor"][:_REMEMBERED_MESSAGES]
        fade = 1.0
        for text in earlier:
            fade *= _FADING
            for stem, weight in self._weights(text).items():
                weights.setdefault(stem, weight * fade)
        return weights

    def _weights(self, text: str) -> dict[str, float]:
        """Weigh a text's distinct stems by their length: a long word says more about the topic than a short one."""
        return {stem: float(len(stem)) for stem in self._stems.of(split_words(text)) if stem}


def _normalised(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {stem: weight / total for stem, weight in weights.items()}


def _grade(score: float, thresholds: tuple[float, float, float]) -> int:
    return sum(score >= threshold for threshold in thresholds)
