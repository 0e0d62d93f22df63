"""Differences of differences: an effect against the items that it must leave alone, and over several sets."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.experiments.statistics.paired import Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """The mean difference on fired items minus that on declined ones, by Welch's test."""

    difference: float
    t: float
    df: float
    p: float
    low: float
    high: float


def control_adjusted(fired: Sequence[float] | Numbers, declined: Sequence[float] | Numbers) -> Contrast | None:
    """Return the effect beyond what moved where nothing was changed; None with fewer than two items on a side."""
    from scipy.stats import ttest_ind  # noqa: PLC0415 - heavy to import

    if len(fired) < 2 or len(declined) < 2:
        return None
    difference = float(np.mean(fired) - np.mean(declined))
    if np.ptp(fired) == 0 and np.ptp(declined) == 0:
        return Contrast(difference=difference, t=0.0, df=0.0, p=1.0, low=difference, high=difference)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # declined items that never move have no variance of their own
        test = ttest_ind(fired, declined, equal_var=False)
    interval = test.confidence_interval(0.95)
    return Contrast(
        difference=difference,
        t=float(test.statistic),
        df=float(test.df),
        p=float(test.pvalue),
        low=float(interval.low),
        high=float(interval.high),
    )


def pooled_effect(sets: Sequence[tuple[int, float]]) -> float:
    """Return the mean over the items of several sets, each given as its number of items and its mean."""
    return sum(items * mean for items, mean in sets) / sum(items for items, _ in sets)
