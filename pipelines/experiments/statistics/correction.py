"""A rate as a judge sees it, corrected for the judge's errors by passages that people labelled as well.

Two ways: prediction-powered inference adds the mean error that was seen on the labelled passages and needs no model of
the judge; Rogan and Gladen solve for the rate through sensitivity and specificity, and serve as a cross-check.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

_Z = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class RoganGladen:
    """The corrected rate, cut to [0, 1], and its variance by the delta method."""

    rate: float
    variance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A corrected rate with its 95 % interval; `weight` is how far the judge was relied on."""

    rate: float
    low: float
    high: float
    weight: float
    labelled: int


def rogan_gladen(
    apparent: float, *, sensitivity: float, specificity: float, n: float, n_sensitivity: int, n_specificity: int
) -> RoganGladen | None:
    """Return the true rate behind an apparent one, or None where the judge is no better than a coin.

    Source: Rogan and Gladen 1978. `n` is the (effective) number behind the apparent rate, the other two how many
    labelled positives and negatives the judge's rates were measured on.
    """
    skill = sensitivity + specificity - 1
    if skill <= 0:
        return None
    rate = min(1.0, max(0.0, (apparent + specificity - 1) / skill))
    variance = (
        apparent * (1 - apparent) / n
        + rate**2 * sensitivity * (1 - sensitivity) / n_sensitivity
        + (1 - rate) ** 2 * specificity * (1 - specificity) / n_specificity
    ) / skill**2
    return RoganGladen(rate=rate, variance=variance)


def prediction_powered(
    people: Sequence[float], judge: Sequence[float], unlabelled: Sequence[float], *, tuned: bool = True
) -> Corrected:
    """Return the mean of people's labels, estimated with the judge's on everything; items are independent here.

    Tuned, the judge gets the weight that makes the interval shortest. Sources: Angelopoulos et al. 2023
    (arXiv 2301.09633) and, for the weight, 2311.01453.
    """
    y, f, u = (np.asarray(values, dtype=np.float64) for values in (people, judge, unlabelled))
    weight = 1.0
    if tuned:
        spread = float(np.concatenate([f, u]).var(ddof=1))
        weight = float(((y - y.mean()) * (f - f.mean())).mean()) / ((1 + len(y) / len(u)) * spread) if spread else 0.0
    rate = weight * float(u.mean()) + float((y - weight * f).mean())
    se = float(np.sqrt(weight**2 * u.var() / len(u) + (y - weight * f).var() / len(y)))
    return Corrected(rate=rate, low=rate - _Z * se, high=rate + _Z * se, weight=weight, labelled=len(y))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How far people's mean is from the judge's on labelled passages, with a standard error that knows clusters."""

    shift: float
    se: float
    labelled: int


def judge_shift(
    people: Sequence[float],
    judge: Sequence[float],
    clusters: Sequence[Hashable],
    weights: Sequence[float] | None = None,
) -> Shift | None:
    """Return the weighted mean of people's label less the judge's; None with fewer than two clusters."""
    error = np.asarray(people, dtype=np.float64) - np.asarray(judge, dtype=np.float64)
    weight = np.ones(len(error)) if weights is None else np.asarray(weights, dtype=np.float64)
    places: dict[Hashable, int] = {}
    index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters])
    if len(places) < 2:
        return None
    shift = float((weight * error).sum() / weight.sum())
    residual = np.bincount(index, weights=weight * (error - shift)).astype(np.float64)
    se = float(np.sqrt(len(places) / (len(places) - 1) * (residual**2).sum()) / weight.sum())
    return Shift(shift=shift, se=se, labelled=len(error))


def corrected_rate(apparent: float, interval: tuple[float, float], found: Shift) -> Corrected:
    """Return a published rate plus the judge's mean error, cut to [0, 1] with its interval.

    `interval` is the published one of 95 %. The two are joined end by end, as if the labels came from other nights (Zou
    and Donner 2008), so that the lopsidedness of a rate near 0 stays. The mart computes the same in SQL.
    """
    rate = apparent + found.shift
    low = rate - float(np.hypot(apparent - interval[0], _Z * found.se))
    high = rate + float(np.hypot(interval[1] - apparent, _Z * found.se))
    rate, low, high = (min(1.0, max(0.0, value)) for value in (rate, low, high))
    return Corrected(rate=rate, low=low, high=high, weight=1.0, labelled=found.labelled)
