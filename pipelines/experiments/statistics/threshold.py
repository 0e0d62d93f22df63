"""The line that a single run is read against: one standard error under the dataset's own control."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.experiments.statistics.paired import Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The control's mean over items, its standard error (divisor n - 1), and the mean less one of it."""

    mean: float
    se: float
    threshold: float


def one_se_below(control: Sequence[float] | Numbers) -> Line:
    """Return the threshold that follows from the scores of the control's items, at least two.

    It answers one question: did a strategy retrieve worse than doing nothing? It cannot rank two strategies.
    """
    scores = np.asarray(control, dtype=np.float64)
    mean, se = float(scores.mean()), float(scores.std(ddof=1) / np.sqrt(len(scores)))
    return Line(mean=mean, se=se, threshold=mean - se)


def chance_to_fail(standard_errors: float, *, run_share: float) -> float:
    """Return how likely one run falls below the line when the strategy truly differs by so many standard errors.

    `run_share` is what re-running contributes to the variance between items; both runs have it.
    """
    from scipy.stats import norm  # noqa: PLC0415 - heavy to import

    return float(norm.cdf((-1 - standard_errors) / np.sqrt(2 * run_share)))
