"""A judge beside people who graded the same passages: how well they agree, in which direction they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipelines.errors import NightcheckError
from pipelines.experiments.statistics import agreement as coefficients
from pipelines.experiments.statistics.agreement import Coefficient, Estimate
from pipelines.experiments.statistics.correction import (
    Corrected,
    RoganGladen,
    Shift,
    corrected_rate,
    judge_shift,
    prediction_powered,
    rogan_gladen,
)
from pipelines.experiments.statistics.paired import Numbers

GRADES = 4
_OF_GRADES: Mapping[str, Coefficient] = {
    "agreement": coefficients.raw_agreement,
    "kappa": coefficients.kappa,
    "kappa quadratic": coefficients.quadratic_kappa,
    "alpha ordinal": coefficients.alpha,
}
_OF_HALVES: Mapping[str, Coefficient] = {
    "agreement": coefficients.raw_agreement,
    "kappa": coefficients.kappa,
    "AC1": coefficients.gwet_ac1,
    "PABAK": coefficients.pabak,
    "alpha": coefficients.alpha,
}
_OF_NEGATIVES: Mapping[str, Coefficient] = {
    "sensitivity": coefficients.sensitivity,
    "specificity": coefficients.specificity,
}
#: labels below which every figure is mostly chance
FEW_LABELS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One passage graded twice, from 0 to 3. Passages of one cluster (a retrieval, a query) are resampled together."""

    people: int
    judge: int
    cluster: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What one judge said: pairs with people's grades, and its grades of passages that people did not see.

    `off_scale` counts the judge's grades that were above the scale and taken for its end.
    """

    pairs: tuple[Pair, ...]
    unlabelled: tuple[int, ...] = ()
    off_scale: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How a judge and people agree. `graded` is empty where people only said yes or no.

    `cut` is the grade from which a passage counts as positive in `binary`; there, sensitivity and specificity are of
    the negatives of that cut ("irrelevant" where the cut is 1): of those that people called so, how many the judge
    does, and of the others, how many it leaves. `mild` counts passages that only people called negative, `strict`
    those that only the judge did; `p_direction` is McNemar's exact test that the two are alike.
    """

    labelled: int
    clusters: int
    confusion: tuple[tuple[int, ...], ...]
    graded: dict[str, Estimate]
    cut: int
    binary: dict[str, Estimate]
    strict: int
    mild: int
    p_direction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """A published irrelevant rate, and what it becomes once the judge's errors are known."""

    raw: float
    corrected: Corrected | None
    cross_check: RoganGladen | None
    few_labels: bool


def agree(
    pairs: Sequence[Pair], *, cut: int = 1, graded: bool = True, seed: int = 20261130, resamples: int = 10_000
) -> Agreement:
    """Compare the grades of every pair, each coefficient with a 95 % interval from resampling whole clusters."""
    if not pairs:
        raise NightcheckError("agreement", "no passage has both a verdict and a label", "Check the days and the labels")
    tables = coefficients.tables_by_cluster(
        [pair.people for pair in pairs], [pair.judge for pair in pairs], [pair.cluster for pair in pairs], GRADES
    )
    halves = coefficients.binary(tables, cut)
    irrelevant = halves[..., ::-1, ::-1]  # the negatives are what is looked for
    table = halves.sum(axis=0)

    def estimates(of: Numbers, wanted: Mapping[str, Coefficient]) -> dict[str, Estimate]:
        return {name: coefficients.estimate(of, each, seed=seed, resamples=resamples) for name, each in wanted.items()}

    return Agreement(
        labelled=len(pairs),
        clusters=len(tables),
        confusion=tuple(tuple(int(cell) for cell in row) for row in tables.sum(axis=0)),
        graded=estimates(tables, _OF_GRADES) if graded else {},
        cut=cut,
        binary=estimates(halves, _OF_HALVES) | estimates(irrelevant, _OF_NEGATIVES),
        strict=int(table[1, 0]),
        mild=int(table[0, 1]),
        p_direction=coefficients.mcnemar(table),
    )


def correct(raw: float, interval: tuple[float, float], effective_n: float, pairs: Sequence[Pair]) -> CorrectedRate:
    """Correct a published irrelevant rate by labelled passages; the result lies within [0, 1].

    `interval` is the published one of 95 %, which carries the uncertainty of the sample; `effective_n` is how many
    independent passages it is worth. The labels may come from other nights than the rate, so long as the judge is the
    same.
    """
    people = [float(pair.people == 0) for pair in pairs]
    judge = [float(pair.judge == 0) for pair in pairs]
    table = coefficients.confusion([int(each) for each in people], [int(each) for each in judge], 2)
    negatives, positives = (int(count) for count in table.sum(axis=1))
    check = None
    if positives and negatives:
        check = rogan_gladen(
            raw,
            sensitivity=float(coefficients.sensitivity(table)),
            specificity=float(coefficients.specificity(table)),
            n=effective_n,
            n_sensitivity=positives,
            n_specificity=negatives,
        )
    shift = shift_of(pairs)
    return CorrectedRate(
        raw=raw,
        corrected=None if shift is None else corrected_rate(raw, interval, shift),
        cross_check=check,
        few_labels=len(pairs) < FEW_LABELS,
    )


def rate_of_all(graded: Graded) -> Corrected | None:
    """Return the irrelevant rate of all that a judge graded, corrected where people did not; rows are independent here.

    None where there is nothing to correct, or not enough to correct it by.
    """
    if len(graded.pairs) < 2 or not graded.unlabelled:
        return None
    return prediction_powered(
        [float(pair.people == 0) for pair in graded.pairs],
        [float(pair.judge == 0) for pair in graded.pairs],
        [float(grade == 0) for grade in graded.unlabelled],
    )


def among_all(ratings: Sequence[Sequence[int | None]]) -> float | None:
    """Return the ordinal alpha of all raters together, people and judges; None of fewer than three."""
    return coefficients.alpha_of_ratings(ratings) if len(ratings) > 2 else None


def shift_of(pairs: Sequence[Pair]) -> Shift | None:
    """Return how far people's irrelevant rate is from the judge's; None where the labels are of one cluster alone."""
    return judge_shift(
        [float(pair.people == 0) for pair in pairs],
        [float(pair.judge == 0) for pair in pairs],
        [pair.cluster for pair in pairs],
        [pair.weight for pair in pairs],
    )
