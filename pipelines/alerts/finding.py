"""What an alarm says of a slice: its rate before and now, since when, and which half broke."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np

from pipelines.alerts.night import Floats, Night
from pipelines.alerts.slices import Slice
from pipelines.sampling.rate import CellSums, Rate, estimate

Fault = Literal["query", "retriever", "both", "unclear"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """What a slice was like over some nights: its rate with interval, and the shares of passages with each fault."""

    nights: int
    rate: Rate
    query: float | None
    retriever: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A named slice with its figures; `since` is the first night of the present run of evidence."""

    slice: Slice
    part: float
    since: date | None
    before: Period
    now: Period

    @property
    def fault(self) -> Fault:
        """Return which fault grew: `both` where the lesser grew at least half as much as the greater."""
        of_query, of_retriever = (_growth(self, name) for name in ("query", "retriever"))
        greater, lesser = max(of_query, of_retriever), min(of_query, of_retriever)
        if greater <= 0:
            return "unclear"
        if lesser * 2 >= greater:
            return "both"
        return "query" if of_query > of_retriever else "retriever"


def _growth(finding: Finding, name: str) -> float:
    before, now = getattr(finding.before, name), getattr(finding.now, name)
    return 0.0 if before is None or now is None else float(now - before)


def period(nights: Sequence[Night], watched: Slice) -> Period:
    """Return the rate of a slice over the complete ones of these nights, by the formula of the published rates."""
    complete = [night for night in nights if night.complete]
    parts = [_cells(night, watched) for night in complete]
    cells = {name: np.concatenate([np.zeros(0), *(part[name] for part in parts)]) for name in _SUMS}
    faults = {name: _ratio(cells, cells.pop(name)) for name in ("query_faults", "retriever_faults")}
    sums = CellSums(**cells, missing=np.zeros(len(cells["frame"])))
    rate = estimate(sums, np.zeros(len(cells["frame"]), dtype=np.int64), count=1).at(0)
    return Period(nights=len(complete), rate=rate, query=faults["query_faults"], retriever=faults["retriever_faults"])


_SUMS = ("frame", "drawn", "retrievals", "y", "m", "yy", "ym", "mm", "query_faults", "retriever_faults")


def _cells(night: Night, watched: Slice) -> dict[str, Floats]:
    """Return the sums of one night for each leaf of the slice."""
    held = [i for i, leaf in enumerate(night.leaves) if watched.holds(leaf)]
    count, y, m = (values.astype(float) for values in (night.count, night.irrelevant, night.judged))
    of_rows = {
        "retrievals": count,
        "y": count * y,
        "m": count * m,
        "yy": count * y * y,
        "ym": count * y * m,
        "mm": count * m * m,
        "query_faults": night.query_faults.astype(float),
        "retriever_faults": night.retriever_faults.astype(float),
    }
    sums = {
        name: np.bincount(night.leaf, weights=values, minlength=len(night.leaves))[held].astype(float)
        for name, values in of_rows.items()
    }
    strata = [night.strata[i] for i in held]
    sums["frame"] = np.array([stratum.frame for stratum in strata], dtype=float)
    sums["drawn"] = np.array([stratum.drawn for stratum in strata], dtype=float)
    return sums


def _ratio(cells: dict[str, Floats], faults: Floats) -> float | None:
    weight = cells["frame"] / cells["drawn"]
    passages = float((weight * cells["m"]).sum())
    return float((weight * faults).sum()) / passages if passages else None
