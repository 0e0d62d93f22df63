"""Means of items that come in clusters, such as the turns of one conversation: standard error, interval, permutation.

Items of one cluster share their subject, so they are drawn, and flipped, together. The unit of every resample here is
the cluster; where every item is its own cluster this is the ordinary bootstrap.
"""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from pipelines.experiments.statistics.paired import TIE, Numbers

#: results are rounded to this many decimals, so that the order in which a machine adds does not show
_DECIMALS = 12
#: resamples that are computed at once, which bounds memory
_BATCH = 2_000


class Method(StrEnum):
    """How a bootstrap distribution becomes an interval."""

    BCA = "BCa"
    PERCENTILE = "percentile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval and how it was made."""

    low: float
    high: float
    method: Method
    resamples: int
    clusters: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustered:
    """Sums and sizes of clusters: all that a mean over items needs to know of them."""

    sums: Numbers
    sizes: Numbers

    @property
    def mean(self) -> float:
        """Return the mean over items."""
        return float(self.sums.sum() / self.sizes.sum())


def group(values: Sequence[float] | Numbers, clusters: Sequence[Hashable]) -> Clustered:
    """Add the values up by cluster, in the order in which the clusters first appear."""
    if len(values) != len(clusters) or not len(values):
        msg = f"{len(values)} values and {len(clusters)} clusters: there must be one cluster a value, and at least one"
        raise ValueError(msg)
    places: dict[Hashable, int] = {}
    index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters])
    sums = np.bincount(index, weights=np.asarray(values, dtype=np.float64)).astype(np.float64)
    return Clustered(sums=sums, sizes=np.bincount(index).astype(np.float64))


def standard_error(values: Sequence[float] | Numbers, clusters: Sequence[Hashable]) -> float | None:
    """Return the cluster-robust standard error of the mean, with the factor C/(C-1); None with a single cluster.

    Source: Miller 2024, arXiv 2411.00640, appendix A.
    """
    grouped = group(values, clusters)
    count = len(grouped.sums)
    if count < 2:
        return None
    residuals = grouped.sums - grouped.mean * grouped.sizes
    return float(np.sqrt(count / (count - 1) * (residuals**2).sum()) / grouped.sizes.sum())


def bootstrap_interval(
    values: Sequence[float] | Numbers,
    clusters: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 10_000,
    method: Method = Method.BCA,
    confidence: float = 0.95,
) -> Interval | None:
    """Return a bootstrap interval of the mean, resampling whole clusters; None with a single cluster.

    The same seed gives the same resamples for every strategy that is compared on the same items. Clusters that
    all have the same mean have no spread to resample: the interval is the point. Where BCa has no value (every resample
    lies on one side of the mean) the interval is the percentile one, and says so.
    """
    grouped = group(values, clusters)
    count = len(grouped.sums)
    if count < 2:
        return None
    if np.abs(grouped.sums - grouped.mean * grouped.sizes).max() <= TIE:
        low = high = grouped.mean
    else:
        low, high = _resample(grouped, seed, resamples, method, confidence)
        if np.isnan(low) or np.isnan(high):
            method = Method.PERCENTILE
            low, high = _resample(grouped, seed, resamples, method, confidence)
    return Interval(
        low=round(low, _DECIMALS),
        high=round(high, _DECIMALS),
        method=method,
        resamples=resamples,
        clusters=count,
        confidence=confidence,
    )


def _resample(grouped: Clustered, seed: int, resamples: int, method: Method, confidence: float) -> tuple[float, float]:
    from scipy.stats import DegenerateDataWarning, bootstrap  # noqa: PLC0415 - heavy to import

    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore", DegenerateDataWarning)  # it gives NaN, which is looked for
        found = bootstrap(
            (grouped.sums, grouped.sizes),
            _ratio,
            paired=True,
            vectorized=True,
            n_resamples=resamples,
            batch=_BATCH,
            method=method.value,
            confidence_level=confidence,
            rng=np.random.default_rng(seed),
        ).confidence_interval
    return float(found.low), float(found.high)


def permutation_test(
    values: Sequence[float] | Numbers, clusters: Sequence[Hashable], *, seed: int, resamples: int = 10_000
) -> float:
    """Return the two-sided p-value of the hypothesis that the sign of every cluster's difference is chance.

    Exact where there are no more sign patterns than resamples; else (count + 1) / (resamples + 1), which is never 0.
    """
    from scipy.stats import permutation_test as permute  # noqa: PLC0415 - heavy to import

    sums = group(values, clusters).sums
    sums = np.round(sums[np.abs(sums) > TIE], _DECIMALS)  # a cluster without a difference is the same either way
    if len(sums) < 2:  # turning one sign round changes the sign of the mean alone
        return 1.0
    found = permute(
        (sums,),
        _size_of_sum,
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=resamples,
        batch=_BATCH,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def _ratio(sums: Any, sizes: Any, axis: int = -1) -> Any:
    return sums.sum(axis=axis) / sizes.sum(axis=axis)


def _size_of_sum(values: Any, axis: int = -1) -> Any:
    return np.abs(values.sum(axis=axis))
