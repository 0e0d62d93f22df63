"""Compares two readings of the same sample by one judge; pure."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from pipelines.judging.verdict import IRRELEVANT

#: tenant, retrieval id, rank: of one environment
Place = tuple[str, str, int]
#: against the searched query, against the need
Grades = tuple[int, int]


#: the published rates, each with the place of its grade
MEASURES = {"irrelevant_query": 0, "irrelevant_need": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What moved, of one of the two grades, between two readings of the same passages."""

    measure: str
    retrievals: int
    passages: int
    compared: int
    moved: int
    irrelevant_before: int
    irrelevant_after: int
    standard_error: float | None

    @property
    def difference(self) -> float | None:
        """Return by how much the irrelevant rate moved."""
        return (self.irrelevant_after - self.irrelevant_before) / self.compared if self.compared else None


def floor_of(
    measure: str, before: Mapping[Place, Grades], after: Mapping[Place, Grades], *, retrievals: int, passages: int
) -> Floor:
    """Compare the passages that have grades both times, by the grade that a measure is made of.

    The standard error of the difference of rates is that of a ratio estimate clustered by retrieval: with y the change
    in a retrieval's irrelevant passages, m its passages and R = sum(y)/sum(m), the root of
    n/(n-1)*sum((y - R*m)^2)/sum(m)^2.
    """
    which = MEASURES[measure]
    both = sorted(before.keys() & after.keys())
    change: defaultdict[tuple[str, str], int] = defaultdict(int)
    size: defaultdict[tuple[str, str], int] = defaultdict(int)
    for place in both:
        change[place[:2]] += _irrelevant(after[place][which]) - _irrelevant(before[place][which])
        size[place[:2]] += 1
    return Floor(
        measure=measure,
        retrievals=retrievals,
        passages=passages,
        compared=len(both),
        moved=sum(before[place][which] != after[place][which] for place in both),
        irrelevant_before=sum(_irrelevant(before[place][which]) for place in both),
        irrelevant_after=sum(_irrelevant(after[place][which]) for place in both),
        standard_error=_standard_error([(change[each], size[each]) for each in size]),
    )


def _irrelevant(grade: int) -> int:
    return int(grade == IRRELEVANT)


def _standard_error(clusters: list[tuple[int, int]]) -> float | None:
    count, total = len(clusters), sum(size for _, size in clusters)
    if count < 2:
        return None
    ratio = sum(change for change, _ in clusters) / total
    squares = sum((change - ratio * size) ** 2 for change, size in clusters)
    return math.sqrt(count / (count - 1) * squares) / total
