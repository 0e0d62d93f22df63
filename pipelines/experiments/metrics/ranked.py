"""Rank-aware scores against known relevance, computed by ir-measures (trec_eval's definitions)."""

from collections.abc import Mapping, Sequence
from typing import Any

#: what every run with known relevance is scored by; a trend over another list is another trend
RANKED = ("RR@10", "P@5", "R@5", "R@10", "nDCG@5", "nDCG@10", "first_relevant")
FIRST_RELEVANT = "first_relevant"

Scores = dict[str, float | None]


def score_rankings(
    rankings: Mapping[str, Sequence[str]],
    qrels: Mapping[str, Mapping[str, int]],
    *,
    relevant_from: int = 1,
    measures: Sequence[str] = RANKED,
) -> dict[str, Scores]:
    """Return the scores of every item that has a ranking, by item and measure.

    `rankings` holds passage ids, the best first. An item whose qrels name nothing relevant has no scores (its list says
    nothing about the ranking); one whose ranking is empty scores 0, since what there was to find was not found. P@5
    divides by 5 however few came back; nDCG has linear gains; `first_relevant` is a position from 1, or None.
    """
    import ir_measures  # noqa: PLC0415 - heavy to import

    scorable = {
        item: ranking
        for item, ranking in rankings.items()
        if any(grade >= relevant_from for grade in qrels.get(item, {}).values())
    }
    scores: dict[str, Scores] = {item: dict.fromkeys(measures, 0.0) for item in scorable}
    names = {_parsed(name, relevant_from): name for name in measures if name != FIRST_RELEVANT}
    run = {
        item: {passage: 1 / rank for rank, passage in enumerate(ranking, start=1)}
        for item, ranking in scorable.items()
        if ranking
    }
    if run and names:
        wanted = {item: dict(qrels[item]) for item in run}
        for found in ir_measures.iter_calc(list(names), wanted, run):
            scores[found.query_id][names[found.measure]] = float(found.value)
    if FIRST_RELEVANT in measures:
        for item, ranking in scorable.items():
            scores[item][FIRST_RELEVANT] = first_relevant(ranking, qrels[item], relevant_from=relevant_from)
    return scores


def first_relevant(ranking: Sequence[str], grades: Mapping[str, int], *, relevant_from: int = 1) -> float | None:
    """Return the position of the first relevant passage, from 1; None where there is none."""
    for position, passage in enumerate(ranking, start=1):
        if grades.get(passage, 0) >= relevant_from:
            return float(position)
    return None


def _parsed(name: str, relevant_from: int) -> Any:
    import ir_measures  # noqa: PLC0415 - heavy to import

    measure = ir_measures.parse_measure(name)
    return measure(rel=relevant_from) if relevant_from != 1 and not name.startswith("nDCG") else measure
