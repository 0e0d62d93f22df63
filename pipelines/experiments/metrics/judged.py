"""Scores by a judge, and what the judge is shown: a function of the item and the passages, of nothing else.

A judge that is shown a strategy's query, keywords or name scores the annotation with the passages; two strategies that
return the same passages would then differ.
"""

from collections.abc import Sequence

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Ranked
from pipelines.judging.verdict import USEFUL, PassageToJudge, RetrievalToJudge, RetrievalVerdict, Status

#: share of passages that help, place of the first that does (as 1 / place), mean grade over 3, and whether the passages
#: together let one answer
JUDGED = ("useful", "useful_rr", "grade", "sufficient")


def to_judge(item: Item, passages: Sequence[Ranked]) -> RetrievalToJudge:
    """Return what the judge sees, with the need (or else the message) in the place of a searched query."""
    return RetrievalToJudge(
        tenant=item.tenant,
        retrieval_id=item.item_id,
        searched_query=item.need or item.message,
        message=item.message,
        conversation=item.history,
        passages=tuple(
            PassageToJudge(
                rank=rank,
                passage_id=each.passage_id,
                kind=each.kind,
                text=each.text,
                title=each.title or None,
                source_date=each.source_date,
            )
            for rank, each in enumerate(passages, start=1)
        ),
    )


def score_verdict(verdict: RetrievalVerdict, k: int) -> dict[str, float | None] | str:
    """Return the scores that follow from a verdict, or why there are none.

    A passage without a grade leaves the retrieval without scores, since to count it either way would be a guess.
    `sufficient` is None where the judge does not say. `useful` divides by k however few came back.
    """
    missing = [each.status.value for each in verdict.passages if each.status is not Status.JUDGED]
    if verdict.status is not Status.JUDGED or missing:
        return f"no verdict ({missing[0] if missing else verdict.status.value})"
    grades = [each.need_grade or 0 for each in sorted(verdict.passages, key=lambda each: each.rank)]
    useful = [grade >= USEFUL for grade in grades]
    return {
        "useful": sum(useful) / k,
        "useful_rr": 1 / (useful.index(True) + 1) if any(useful) else 0.0,
        "grade": sum(grades) / (3 * k),
        "sufficient": None if verdict.sufficient is None else float(verdict.sufficient),
    }
