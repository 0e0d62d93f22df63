"""The published rate: a weighted ratio of irrelevant to judged passages, with an interval that respects clustering.

Passages come in retrievals, and retrievals are drawn from strata with unequal weights N/n. So the rate is a ratio
estimate, its variance is that of the residuals y - rate*M between the retrievals of a stratum (Cochran, Sampling
Techniques, 6.11), and the interval is Wilson's with the number of passages that would give this variance, and Student's
t for the normal quantile. A slice is a union of *cells*: a cell is one stratum on one day, restricted to what the slice
asks for. Seven or 28 nights are more cells, and the formula stays the same. The macros in
`schemas/reference/wilson` say it in SQL.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: the design effect assumed where a sample shows no spread at all, such as no irrelevant passage
ASSUMED_DESIGN_EFFECT = 1.8
#: a variance below this (a standard error of a millionth) is rounding
_NO_VARIANCE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSums:
    """What cells say, as arrays of one length; sums run over drawn retrievals within the slice's domain.

    `frame` and `drawn` are N and n of the whole stratum on that day, whatever the domain: a drawn retrieval outside of
    the domain counts as one with no passages. M are the judged passages of a retrieval and y the irrelevant ones among
    them.
    """

    frame: Floats
    drawn: Floats
    retrievals: Floats  # with at least one judged passage
    y: Floats
    m: Floats
    yy: Floats
    ym: Floats
    mm: Floats
    missing: Floats  # passages that were drawn and have no verdict

    def take(self, index: Ints) -> "CellSums":
        """Return the cells at `index`, in that order, repeated where it repeats."""
        return CellSums(**{field.name: getattr(self, field.name)[index] for field in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """The rate of one slice; None is what cannot be known.

    `lowest` and `highest` are what the rate of the sample would be if every missing verdict said relevant, or
    irrelevant.
    """

    rate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    effective: float | None
    degrees: int
    passages: int
    retrievals: int
    missing: int
    coverage: float | None
    lowest: float | None
    highest: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The rates of many slices, as arrays of one length; NaN is what cannot be known."""

    rate: Floats
    low: Floats
    high: Floats
    standard_error: Floats
    effective: Floats
    degrees: Floats
    passages: Floats
    retrievals: Floats
    missing: Floats
    coverage: Floats
    lowest: Floats
    highest: Floats

    def at(self, i: int) -> Rate:
        """Return the rate of slice `i`."""

        def known(values: Floats) -> float | None:
            return None if np.isnan(values[i]) else float(values[i])

        return Rate(
            rate=known(self.rate),
            low=known(self.low),
            high=known(self.high),
            standard_error=known(self.standard_error),
            effective=known(self.effective),
            degrees=int(self.degrees[i]),
            passages=int(self.passages[i]),
            retrievals=int(self.retrievals[i]),
            missing=int(self.missing[i]),
            coverage=known(self.coverage),
            lowest=known(self.lowest),
            highest=known(self.highest),
        )


def sum_cells(
    cell: Ints, irrelevant: Floats, passages: Floats, *, frame: Floats, missing: Floats | None = None
) -> CellSums:
    """Sum drawn retrievals by their cell.

    The first three arrays, and `missing`, hold one value a drawn retrieval; `frame` holds N of each cell. A drawn
    retrieval outside of the domain must be there, with no passages.
    """
    cells = len(frame)

    def total(values: Floats) -> Floats:
        return _total(values, cell, cells)

    return CellSums(
        frame=frame,
        drawn=total(np.ones(len(cell))),
        retrievals=total(np.greater(passages, 0).astype(float)),
        y=total(irrelevant),
        m=total(passages),
        yy=total(irrelevant * irrelevant),
        ym=total(irrelevant * passages),
        mm=total(passages * passages),
        missing=np.zeros(cells) if missing is None else total(missing),
    )


def estimate(cells: CellSums, slices: Ints, *, count: int, finite: bool = False, level: float = 0.95) -> Rates:
    """Return the rates of `count` slices, where cell i belongs to slice `slices[i]`, each cell once per slice.

    The interval speaks about the process that made the frame; with `finite` it speaks about the retrievals of the frame
    alone (finite population correction), and is a point for a complete census. Where a drawn passage lacks its verdict
    there is no rate, only the bounds; where a stratum was not drawn from, nothing. One retrieval has a rate and no
    interval.
    """

    def total(values: Floats | NDArray[np.bool_]) -> Floats:
        return _total(values, slices, count)

    weight = np.divide(cells.frame, cells.drawn, out=np.full(len(cells.frame), np.nan), where=cells.drawn > 0)
    y, m, missing = total(weight * cells.y), total(weight * cells.m), total(weight * cells.missing)
    passages, no_verdict, retrievals = total(cells.m), total(cells.missing), total(cells.retrievals)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.where(no_verdict > 0, np.nan, y / m)
        squares = (_spread(cells, *pair, finite=finite) for pair in (("y", "y"), ("y", "m"), ("m", "m")))
        of_yy, of_ym, of_mm = (total(square) for square in squares)
        variance = np.maximum((of_yy - 2 * rate * of_ym + rate * rate * of_mm) / (m * m), 0.0)
        effective = _effective(rate, variance, passages)
        degrees = retrievals - total(cells.retrievals > 1) - np.minimum(total(cells.retrievals == 1), 1)
        low, high = wilson(rate, effective, t_quantile(degrees, level=level))
        if finite:
            is_census = total(cells.drawn < cells.frame) == 0
            low, high = np.where(is_census, rate, low), np.where(is_census, rate, high)
        return Rates(
            rate=rate,
            low=low,
            high=high,
            standard_error=np.sqrt(variance),
            effective=effective,
            degrees=degrees,
            passages=passages,
            retrievals=retrievals,
            missing=no_verdict,
            coverage=passages / (passages + no_verdict),
            lowest=y / (m + missing),
            highest=(y + missing) / (m + missing),
        )


def t_quantile(degrees: Floats, *, level: float = 0.95) -> Floats:
    """Return the two-sided quantile of Student's t; NaN for fewer than one degree of freedom."""
    from scipy.special import stdtrit  # noqa: PLC0415 - half a second that `nightcheck --help` must not pay

    degrees = np.asarray(degrees, dtype=float)
    quantile: Floats = np.asarray(stdtrit(np.where(degrees < 1, np.nan, degrees), 0.5 + level / 2), dtype=float)
    return quantile


def wilson(rate: Floats, n: Floats, quantile: Floats) -> tuple[Floats, Floats]:
    """Return Wilson's score interval for a share of `n` independent trials (Wilson 1927, JASA 22:209)."""
    square = quantile * quantile
    centre = (rate + square / (2 * n)) / (1 + square / n)
    half = quantile / (1 + square / n) * np.sqrt(rate * (1 - rate) / n + square / (4 * n * n))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def _total(values: Floats | NDArray[np.bool_], group: Ints, groups: int) -> Floats:
    """Sum `values` by group."""
    return np.bincount(group, weights=values.astype(float), minlength=groups).astype(float)


def _effective(rate: Floats, variance: Floats, passages: Floats) -> Floats:
    """Return how many independent passages would give this variance; never more than there are."""
    shows_spread = (variance > _NO_VARIANCE) & (rate > 0) & (rate < 1)
    effective = np.minimum(rate * (1 - rate) / variance, passages)
    effective = np.where(shows_spread, effective, passages / ASSUMED_DESIGN_EFFECT)
    return np.where(np.isnan(rate), np.nan, effective)


def _spread(cells: CellSums, a: str, b: str, *, finite: bool) -> Floats:
    """Return what each cell adds to the (co)variance of the weighted totals of `a` and `b`.

    A stratum of which one retrieval was drawn has no spread of its own: it is centred at zero, the mean of all
    residuals.
    """
    frame, n = cells.frame, cells.drawn
    products, sum_a, sum_b = getattr(cells, a + b), getattr(cells, a), getattr(cells, b)
    within = frame * frame / (n * np.maximum(n - 1, 1)) * (products - np.where(n > 1, sum_a * sum_b / n, 0.0))
    spread: Floats = within * (1 - n / frame) if finite else within
    return spread
