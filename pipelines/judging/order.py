"""The order in which retrievals are asked about, so that a stop in the middle has favoured no stratum."""

from collections import defaultdict
from collections.abc import Sequence

from pipelines.judging.verdict import RetrievalToJudge


def in_fair_order(retrievals: Sequence[RetrievalToJudge]) -> list[RetrievalToJudge]:
    """Interleave the strata of all tenants in proportion to their sizes, keeping the order within each.

    Wherever one stops, every stratum has been asked about to the same share, give or take one retrieval: what is
    missing is missing everywhere alike.
    """
    strata: defaultdict[tuple[str, str], list[RetrievalToJudge]] = defaultdict(list)
    for retrieval in retrievals:
        strata[retrieval.tenant, retrieval.stratum].append(retrieval)
    placed = [
        ((place + 0.5) / len(members), key, place) for key, members in strata.items() for place in range(len(members))
    ]
    return [strata[key][place] for _, key, place in sorted(placed)]
