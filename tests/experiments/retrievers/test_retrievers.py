"""Retrievers: what they find, in which order, and what a second channel pushes out."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from pipelines.experiments.retrievers import (
    Bm25,
    Dense,
    Fused,
    Keywords,
    Query,
    Ranked,
    Retriever,
    TwoChannels,
    displacement,
    reciprocal_rank_fusion,
)
from tests.experiments.build import FixedRetriever, passage, ranked

PASSAGES = [
    passage("plans", "The Team plan costs 20 a month.", "Plans"),
    passage("import", "Import contacts from a spreadsheet.", "Import"),
    passage("twin-a", "A webhook posts every event."),
    passage("twin-b", "A webhook posts every event."),
]


def ids(found: Sequence[Ranked]) -> list[str]:
    """Return passage ids in rank order."""
    return [each.passage_id for each in found]


def search(retriever: Retriever, text: str, k: int = 10, keywords: Keywords | None = None) -> list[str]:
    """Search and return the ids."""
    return ids(asyncio.run(retriever.search(Query(text=text, keywords=keywords), k)))


def test_bm25_finds_by_words_of_text_and_title_and_nothing_else() -> None:
    """A passage that shares no word is not found, an unknown word finds nothing."""
    retriever = Bm25(PASSAGES)

    assert search(retriever, "team plan") == ["plans"]
    assert search(retriever, "IMPORT plans") == ["import", "plans"] or search(retriever, "IMPORT plans") == [
        "plans",
        "import",
    ]
    assert search(retriever, "zebra") == []
    assert search(retriever, "?!") == []


def test_equal_scores_keep_the_order_of_the_collection() -> None:
    """Two equal passages come as they stand, at any depth."""
    retriever = Bm25(PASSAGES)

    assert search(retriever, "webhook") == ["twin-a", "twin-b"]
    assert search(retriever, "webhook", k=1) == ["twin-a"]


def test_identity_follows_parameters_and_passages() -> None:
    """Another parameter, or another text, is another instrument."""
    same, tuned, other = Bm25(PASSAGES), Bm25(PASSAGES, k1=0.9), Bm25(PASSAGES[:3])

    assert same.identity == Bm25(PASSAGES).identity
    assert len({same.identity, tuned.identity, other.identity}) == 3


async def _embed(texts: Sequence[str]) -> "np.typing.NDArray[np.float32]":
    """Count letters: a stand-in for a model that keeps what is alike near."""
    return np.array(
        [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts], np.float32
    )


def test_dense_search_is_exact_and_ordered_by_cosine() -> None:
    """A passage's own text is nearest to it."""
    vectors = asyncio.run(Dense.vectors_of(PASSAGES, _embed))
    retriever = Dense(PASSAGES, vectors, embed=_embed, model="letters")

    assert search(retriever, "Import contacts from a spreadsheet.", k=1) == ["import"]
    assert search(retriever, "A webhook posts every event.", k=2) == ["twin-a", "twin-b"]
    assert "letters" in retriever.identity


def test_dense_refuses_vectors_that_are_not_of_these_passages() -> None:
    """One row a passage."""
    with pytest.raises(ValueError, match="4 passages and 1 vectors"):
        Dense(PASSAGES, np.ones((1, 3), np.float32), embed=_embed, model="letters")


def test_reciprocal_rank_fusion_adds_up_ranks() -> None:
    """Second twice beats first once: 2/62 against 1/61."""
    fused = reciprocal_rank_fusion([ranked("a", "b", "c"), ranked("d", "b")], 3)

    assert ids(fused) == ["b", "a", "d"]
    assert fused[0].score == pytest.approx(2 / 62)


def test_a_fused_retriever_asks_all_of_them() -> None:
    """What either finds may be returned."""
    fused = Fused([FixedRetriever({}, ["a", "b"]), FixedRetriever({}, ["c", "b"])])

    assert search(fused, "x", k=3) == ["b", "a", "c"]


async def _by_length(_text: str, pool: Sequence[Ranked]) -> list[float]:
    return [float(len(each.text)) for each in pool]


def test_a_second_channel_displaces_passages_within_one_budget() -> None:
    """The same number comes back; what answers the turn has gone."""
    by_keywords = FixedRetriever({"pricing": ["a-long-graph-fact"]}, ["p1"])
    retriever = TwoChannels(FixedRetriever({}, ["p1", "p2"]), by_keywords, _by_length, rank_name="length")

    before = search(retriever, "message", k=2)
    after = search(retriever, "message", k=2, keywords=Keywords(low_level=("pricing",)))
    moved = displacement(before, after, frozenset({"p2"}))

    assert before == ["p1", "p2"]
    assert after == ["a-long-graph-fact", "p1"]
    assert (moved.displaced, moved.entered) == (("p2",), ("a-long-graph-fact",))
    assert (moved.relevant_displaced, moved.relevant_entered) == (1, 0)
    assert [query.text for query in by_keywords.asked] == ["message", "pricing"]


def test_without_a_ranker_the_channels_are_merged_by_reciprocal_rank() -> None:
    """The first of each channel before the second of either."""
    by_keywords = FixedRetriever({"pricing": ["g1", "p2"]}, [])
    retriever = TwoChannels(FixedRetriever({}, ["p1", "p2"]), by_keywords)

    assert search(retriever, "message", k=3, keywords=Keywords(high_level=("pricing",))) == ["p2", "p1", "g1"]
