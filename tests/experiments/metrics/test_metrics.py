"""Scores of one item: rank-aware by known relevance, and by a judge that sees the same for every strategy."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.experiments.metrics import score_rankings, score_verdict, to_judge
from pipelines.experiments.metrics.display import AnnotatedDisplayError, DisplayGuard
from pipelines.judging.verdict import PassageVerdict, RetrievalVerdict, Status
from tests.experiments.build import item, ranked


def test_rank_measures_equal_trec_evals(shared_data: Path) -> None:
    """Every measure of every query of the reference, with relevance from grade 2."""
    cases = json.loads((shared_data / "stats_reference.json").read_text())["cases"]
    (case,) = (each for each in cases if each["id"] == "rank_metrics")
    rankings = {query: [passage for passage, _ in ranking] for query, ranking in case["input"]["ranked"].items()}
    qrels = {query: dict(ranking) for query, ranking in case["input"]["ranked"].items()}
    measures = ("RR", "P@1", "P@3", "P@5", "AP", "Success@3", "nDCG@3", "nDCG@5", "first_relevant")

    scores = score_rankings(rankings, qrels, relevant_from=2, measures=measures)

    assert set(scores) == {"q1", "q3"}, "nothing is relevant to q2: it says nothing about a ranking"
    for query, found in scores.items():
        expected = case["expected"]["per_query"][query]
        for measure in measures:
            name = {"first_relevant": "first_relevant_position"}.get(measure, measure)
            known = expected.get(name, expected.get(name.replace("@", "(rel=2)@"), expected.get(f"{name}(rel=2)")))
            assert found[measure] == pytest.approx(known, abs=case["abs_tol"]), (query, measure)


def test_an_empty_ranking_scores_zero_and_unknown_relevance_nothing() -> None:
    """What there was to find was not found; where nobody looked, nothing can be said."""
    scores = score_rankings({"a": [], "b": ["p"], "c": ["p"]}, {"a": {"p": 1}, "b": {}})

    assert set(scores) == {"a"}
    assert scores["a"]["nDCG@5"] == 0.0
    assert scores["a"]["RR@10"] == 0.0
    assert scores["a"]["first_relevant"] is None


def test_position_of_the_first_relevant_counts_from_one() -> None:
    """The second place is 2, its reciprocal a half, and a passage past the tenth counts for nothing."""
    late = [f"n{number}" for number in range(10)] + ["p"]

    scores = score_rankings({"a": ["n", "p"], "b": late}, {"a": {"p": 1}, "b": {"p": 1}})

    assert (scores["a"]["first_relevant"], scores["a"]["RR@10"]) == (2.0, 0.5)
    assert (scores["b"]["first_relevant"], scores["b"]["RR@10"]) == (11.0, 0.0)


def _verdict(*grades: int | None, sufficient: bool | None = True, status: Status = Status.JUDGED) -> RetrievalVerdict:
    passages = tuple(
        PassageVerdict(
            rank=rank,
            passage_id=f"p{rank}",
            status=Status.JUDGED if grade is not None else Status.REFUSED,
            query_grade=grade,
            need_grade=grade,
        )
        for rank, grade in enumerate(grades, start=1)
    )
    return RetrievalVerdict(
        tenant="t.example", retrieval_id="r", status=status, passages=passages, sufficient=sufficient
    )


def test_a_verdict_is_scored_by_need_and_rank() -> None:
    """Two of five places help, the first of them is the second."""
    scores = score_verdict(_verdict(1, 2, 3), 5)

    assert scores == {"useful": 0.4, "useful_rr": 0.5, "grade": pytest.approx(6 / 15), "sufficient": 1.0}


def test_a_missing_verdict_is_never_a_zero() -> None:
    """One passage without a grade, or no verdict at all, leaves the item without scores and says why."""
    assert score_verdict(_verdict(3, None), 5) == "no verdict (refused)"
    assert score_verdict(_verdict(status=Status.RATE_LIMITED), 5) == "no verdict (rate_limited)"


def test_the_judge_sees_a_function_of_item_and_passages_only() -> None:
    """The need stands where a searched query would; scores and channels of the retriever do not show."""
    turn = item(message="the second one", said=("Which plans?", "Team and Company."), need="price of Company")
    found = ranked("a", "b")
    other = tuple(replace(each, score=9.0, channel="graph") for each in found)

    shown = to_judge(turn, found)

    assert shown == to_judge(turn, other)
    assert shown.searched_query == "price of Company"
    assert shown.retrieval_id == turn.item_id
    assert to_judge(item(message="m"), found).searched_query == "m"


def test_a_display_with_a_strategys_annotation_is_refused() -> None:
    """Keywords after the query, or inside a passage, are refused by name; other passages are what is measured."""
    guard = DisplayGuard()
    shown = to_judge(item(), ranked("a"))
    (first,) = shown.passages
    guard.check("raw", shown)

    guard.check("rewrite", to_judge(item(), ranked("b", "a")))
    with pytest.raises(AnnotatedDisplayError, match=r"strategy keywords, item i1: .* another searched query"):
        guard.check("keywords", replace(shown, searched_query=f"{shown.searched_query} [pricing]"))
    with pytest.raises(AnnotatedDisplayError, match="another text of passage a"):
        guard.check("keywords", replace(shown, passages=(replace(first, text=f"{first.text} (graph)"),)))
