"""Agreement between a judge and people who graded the same passages.

Everything for two raters is a function of their confusion table (people's grade down, the judge's across), which lets a
bootstrap compute ten thousand of them at once. Functions of a table take any leading axes and return as many values;
where a coefficient has no meaning (everyone always said the same) it is NaN.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.experiments.statistics.paired import Numbers, sign_test

Coefficient = Callable[[Any], Any]


class Weights(StrEnum):
    """How much two different grades disagree."""

    NOMINAL = "nominal"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class Level(StrEnum):
    """What the differences between values mean, for Krippendorff's alpha."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with a percentile interval from resampling whole clusters; `undefined` resamples had no value."""

    value: float
    low: float
    high: float
    undefined: int = 0


def confusion(people: Sequence[int], judge: Sequence[int], grades: int) -> Numbers:
    """Return the table of counts of shape (grades, grades)."""
    index = np.asarray(people) * grades + np.asarray(judge)
    return np.bincount(index, minlength=grades * grades).reshape(grades, grades).astype(np.float64)


def binary(table: Any, first_positive: int) -> Any:
    """Return the two-by-two table of a graded one, cut below `first_positive`."""
    rows = np.stack([table[..., :first_positive, :].sum(axis=-2), table[..., first_positive:, :].sum(axis=-2)], axis=-2)
    return np.stack([rows[..., :first_positive].sum(axis=-1), rows[..., first_positive:].sum(axis=-1)], axis=-1)


def raw_agreement(table: Any) -> Any:
    """Return the share of passages that got the same grade."""
    return _diagonal(table) / table.sum(axis=(-2, -1))


def kappa(table: Any, weights: Weights = Weights.NOMINAL) -> Any:
    """Return Cohen's kappa, weighted by how far grades are apart."""
    distance = _distance(table.shape[-1], weights)
    total = table.sum(axis=(-2, -1))
    expected = table.sum(axis=-1)[..., :, None] * table.sum(axis=-2)[..., None, :] / total[..., None, None]
    return 1 - _ratio((distance * table).sum(axis=(-2, -1)), (distance * expected).sum(axis=(-2, -1)))


def quadratic_kappa(table: Any) -> Any:
    """Return Cohen's kappa with squared distances."""
    return kappa(table, Weights.QUADRATIC)


def alpha(table: Any, level: Level = Level.ORDINAL) -> Any:
    """Return Krippendorff's alpha of two raters who both graded everything.

    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    coincidences = table + np.swapaxes(table, -1, -2)
    margins = coincidences.sum(axis=-1)
    count = margins.sum(axis=-1)
    distance = _alpha_distance(margins, level)
    expected = margins[..., :, None] * margins[..., None, :]
    observed = (distance * coincidences).sum(axis=(-2, -1))
    return 1 - _ratio((count - 1) * observed, (distance * expected).sum(axis=(-2, -1)))


def gwet_ac1(table: Any) -> Any:
    """Return Gwet's AC1, which stays readable where nearly everything has one grade. Source: Gwet 2008."""
    grades = table.shape[-1]
    total = table.sum(axis=(-2, -1))
    share = (table.sum(axis=-1) + table.sum(axis=-2)) / (2 * total[..., None])
    chance = (share * (1 - share)).sum(axis=-1) / (grades - 1)
    return _ratio(raw_agreement(table) - chance, 1 - chance)


def pabak(table: Any) -> Any:
    """Return the prevalence- and bias-adjusted kappa of a two-by-two table: twice the agreement less one."""
    return 2 * raw_agreement(table) - 1


def sensitivity(table: Any) -> Any:
    """Return, of a two-by-two table, the share of people's positives that the judge finds."""
    return _ratio(table[..., 1, 1], table[..., 1, :].sum(axis=-1))


def specificity(table: Any) -> Any:
    """Return, of a two-by-two table, the share of people's negatives that the judge leaves."""
    return _ratio(table[..., 0, 0], table[..., 0, :].sum(axis=-1))


def mcnemar(table: Any) -> float:
    """Return the exact two-sided p-value that the judge of a two-by-two table is as often too strict as too mild."""
    return sign_test(int(table[0, 1]), int(table[1, 0]))


def fleiss_kappa(table: Sequence[Sequence[int]]) -> float:
    """Return Fleiss' kappa of a table with one row an item and the number of raters who chose each category."""
    from statsmodels.stats.inter_rater import fleiss_kappa as compute  # noqa: PLC0415 - heavy to import

    return float(compute(np.asarray(table)))


def alpha_of_ratings(ratings: Sequence[Sequence[float | None]], level: Level = Level.ORDINAL) -> float:
    """Return Krippendorff's alpha of any number of raters (rows) over items (columns); None is a missing rating."""
    import krippendorff  # noqa: PLC0415 - heavy to import

    data = np.array([[np.nan if rating is None else rating for rating in row] for row in ratings], dtype=np.float64)
    return float(krippendorff.alpha(reliability_data=data, level_of_measurement=level.value))


def estimate(
    tables: npt.NDArray[np.float64], coefficient: Coefficient, *, seed: int, resamples: int = 10_000
) -> Estimate:
    """Return a coefficient of the sum of the clusters' tables (shape: clusters, grades, grades) with its interval."""
    value = float(coefficient(tables.sum(axis=0)))
    clusters = len(tables)
    draws = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    resampled = np.tensordot(draws.astype(np.float64), tables, axes=1)
    values = np.atleast_1d(coefficient(resampled))
    defined = values[~np.isnan(values)]
    if clusters < 2 or not len(defined):
        return Estimate(value=value, low=float("nan"), high=float("nan"), undefined=resamples)
    low, high = np.quantile(defined, [0.025, 0.975])
    undefined = resamples - len(defined)
    return Estimate(value=value, low=round(float(low), 12), high=round(float(high), 12), undefined=undefined)


def tables_by_cluster(
    people: Sequence[int], judge: Sequence[int], clusters: Sequence[Hashable], grades: int
) -> npt.NDArray[np.float64]:
    """Return one confusion table per cluster, in the order in which the clusters first appear."""
    places: dict[Hashable, int] = {}
    index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters], dtype=np.int64)
    flat = (index * grades + np.asarray(people, dtype=np.int64)) * grades + np.asarray(judge, dtype=np.int64)
    return np.bincount(flat, minlength=len(places) * grades**2).reshape(-1, grades, grades).astype(np.float64)


def _diagonal(table: Any) -> Any:
    return np.trace(table, axis1=-2, axis2=-1)


def _ratio(above: Any, below: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(below) > 0, above / below, np.nan)


def _distance(grades: int, weights: Weights) -> Numbers:
    apart = np.abs(np.subtract.outer(np.arange(grades), np.arange(grades))).astype(np.float64)
    match weights:
        case Weights.NOMINAL:
            return np.asarray(apart > 0, dtype=np.float64)
        case Weights.LINEAR:
            return apart
        case Weights.QUADRATIC:
            return apart**2


def _alpha_distance(margins: Any, level: Level) -> Any:
    grades = margins.shape[-1]
    if level is Level.NOMINAL:
        return _distance(grades, Weights.NOMINAL)
    if level is Level.INTERVAL:
        return _distance(grades, Weights.QUADRATIC)
    upto = margins.cumsum(axis=-1) - margins / 2  # mid-ranks: half of each end, all that lies between
    return (upto[..., :, None] - upto[..., None, :]) ** 2
