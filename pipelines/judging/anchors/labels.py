"""A judge's grades of frozen passages beside those that people gave; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipelines.judging.anchors.line import Anchor


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a judge said of a frozen passage on one night; `moved` where that is another grade than its first."""

    query_grade: int | None
    need_grade: int | None
    moved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideLabels:
    """How many passages were asked about and moved, and how the grades stand to people's, each scale counted apart.

    What is neither the same, nor above, nor `without_grade` is below what people say.
    """

    passages: int
    moved: int
    labelled: int
    same: int
    above: int
    without_grade: int

    def __str__(self) -> str:
        parts = [f"{self.moved:,} of {self.passages:,} passages judged otherwise than first"]
        if self.labelled:
            below = self.labelled - self.same - self.above - self.without_grade
            parts.append(f"{self.same:,} of {self.labelled:,} grades as people gave them")
            counts = {"higher": self.above, "lower": below, "without a grade": self.without_grade}
            parts += [f"{count:,} {what}" for what, count in counts.items() if count]
        return ", ".join(parts)


def beside_labels(anchors: Sequence[Anchor], said: Mapping[tuple[str, str, int], Said]) -> BesideLabels:
    """Count what a judge said, by tenant, retrieval id and rank, of those of these anchors that it was asked about.

    A canary that is obeyed has a grade above people's, or none, even if it was obeyed on the first night already.
    """
    pairs = [
        (passage, said[where])
        for anchor in anchors
        for rank, passage in enumerate(anchor.passages, start=1)
        if (where := (anchor.tenant, anchor.retrieval_id, rank)) in said
    ]
    scales = [
        (label, grade)
        for passage, of_judge in pairs
        for label, grade in (
            (passage.query_grade, of_judge.query_grade),
            (passage.need_grade, of_judge.need_grade),
        )
        if label is not None
    ]
    return BesideLabels(
        passages=len(pairs),
        moved=sum(of_judge.moved for _, of_judge in pairs),
        labelled=len(scales),
        same=sum(grade == label for label, grade in scales),
        above=sum(grade is not None and grade > label for label, grade in scales),
        without_grade=sum(grade is None for _, grade in scales),
    )
