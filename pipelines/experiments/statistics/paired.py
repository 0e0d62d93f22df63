"""Two strategies on the same items: who wins how often, and by how much on average, item by item."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

#: scores are averages of few small numbers; what differs by less than this differs by rounding
TIE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """On how many items the strategy scored higher, lower, and the same."""

    wins: int
    losses: int
    ties: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """The mean of paired differences with Student's interval, which takes the items to be independent."""

    mean: float
    sd: float
    se: float
    t: float
    p: float
    low: float
    high: float


def tally(differences: Sequence[float] | Numbers) -> Tally:
    """Count wins, losses and ties; differences below 1e-12 are ties."""
    values = np.asarray(differences, dtype=np.float64)
    wins, losses = int((values > TIE).sum()), int((values < -TIE).sum())
    return Tally(wins=wins, losses=losses, ties=len(values) - wins - losses)


def sign_test(wins: int, losses: int) -> float:
    """Return the exact two-sided p-value of the sign test. Ties are left out; with nothing else it is 1."""
    from scipy.stats import binomtest  # noqa: PLC0415 - heavy to import

    if wins + losses == 0:
        return 1.0
    return float(binomtest(wins, wins + losses, 0.5).pvalue)


def mean_difference(differences: Sequence[float] | Numbers, *, confidence: float = 0.95) -> MeanDifference:
    """Return the mean of at least two paired differences with its standard error (divisor n - 1) and t interval."""
    from scipy import stats  # noqa: PLC0415 - heavy to import

    values = np.asarray(differences, dtype=np.float64)
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    se = sd / float(np.sqrt(len(values)))
    if se == 0.0:
        return MeanDifference(mean=mean, sd=0.0, se=0.0, t=0.0 if mean == 0 else np.inf, p=1.0, low=mean, high=mean)
    test = stats.ttest_1samp(values, 0.0)
    reach = float(stats.t.ppf((1 + confidence) / 2, len(values) - 1)) * se
    return MeanDifference(
        mean=mean, sd=sd, se=se, t=float(test.statistic), p=float(test.pvalue), low=mean - reach, high=mean + reach
    )
