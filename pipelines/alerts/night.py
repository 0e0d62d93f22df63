"""What a night tells the charts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from pipelines.alerts.slices import Leaf

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stratum:
    """How many retrievals a leaf had that night, and how many of them were drawn."""

    frame: int
    drawn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Judged retrievals of one leaf that are alike: `count` of them have `judged` passages, `irrelevant` of them so.

    `query_faults` and `retriever_faults` are passages, over all of these retrievals together.
    """

    leaf: Leaf
    judged: int
    irrelevant: int
    count: int
    query_faults: int = 0
    retriever_faults: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """The judged retrievals of one night, as arrays of one length over rows that are alike.

    `leaf` points into `leaves`, and `strata` go with them. `instrument` names the judge: nights of different judges are
    not compared. A night is incomplete while drawn retrievals lack a verdict.
    """

    day: date
    instrument: str
    complete: bool
    leaves: tuple[Leaf, ...]
    strata: tuple[Stratum, ...]
    leaf: Ints
    judged: Ints
    irrelevant: Ints
    count: Ints
    query_faults: Ints
    retriever_faults: Ints

    @property
    def shares(self) -> Floats:
        """Return the share of irrelevant passages of the retrievals of each row, in [0, 1]."""
        return self.irrelevant / self.judged


def night_of(
    day: date,
    rows: Iterable[Row],
    *,
    strata: Mapping[Leaf, Stratum] | None = None,
    instrument: str = "",
    complete: bool = True,
) -> Night:
    """Build a night from rows; those without passages say nothing. Without `strata` all there was has been judged."""
    kept = [row for row in rows if row.judged > 0 and row.count > 0]
    leaves = tuple(sorted({row.leaf for row in kept}))
    place = {leaf: i for i, leaf in enumerate(leaves)}
    leaf = _ints(place[row.leaf] for row in kept)
    count = _ints(row.count for row in kept)
    if strata is None:
        sizes = np.bincount(leaf, weights=count, minlength=len(leaves)).astype(int).tolist()
        strata = {each: Stratum(size, size) for each, size in zip(leaves, sizes, strict=True)}
    return Night(
        day=day,
        instrument=instrument,
        complete=complete,
        leaves=leaves,
        strata=tuple(strata[each] for each in leaves),
        leaf=leaf,
        judged=_ints(row.judged for row in kept),
        irrelevant=_ints(row.irrelevant for row in kept),
        count=count,
        query_faults=_ints(row.query_faults for row in kept),
        retriever_faults=_ints(row.retriever_faults for row in kept),
    )


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)
