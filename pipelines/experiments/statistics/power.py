"""What a set of items can show: the smallest effect it would find, its chance, and how much a found one exaggerates."""

import math
from dataclasses import dataclass

#: fewer pairs have no spread
_FEWEST = 2.0
#: an effect of so many standard deviations is seen in the first pairs; the solver does not converge there
_PLAIN = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrodesign:
    """What a significant result would be worth if the true effect had the size that was assumed.

    `type_s` is the chance that its sign is wrong, `exaggeration` by which factor it overstates the effect on average.
    """

    power: float
    type_s: float
    exaggeration: float


def smallest_detectable(items: float, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest mean difference that `items` pairs would show with this power, two-sided, by the t test.

    `sd` is the standard deviation of the paired differences.
    """
    from statsmodels.stats.power import TTestPower  # noqa: PLC0415 - heavy to import

    if sd == 0.0:
        return 0.0
    return sd * float(TTestPower().solve_power(effect_size=None, nobs=items, alpha=alpha, power=power))


def power_of(items: float, sd: float, effect: float, *, alpha: float = 0.05) -> float:
    """Return the chance that `items` pairs show a true mean difference of `effect`, two-sided, by the t test."""
    from statsmodels.stats.power import TTestPower  # noqa: PLC0415 - heavy to import

    if sd == 0.0:
        return 1.0 if effect else alpha
    return float(TTestPower().power(abs(effect) / sd, items, alpha))


def items_needed(sd: float, effect: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return how many pairs, from two on, would show a mean difference of `effect` with this power; not rounded."""
    from statsmodels.stats.power import TTestPower  # noqa: PLC0415 - heavy to import

    if effect == 0.0:
        return math.inf
    if abs(effect) > _PLAIN * sd:
        return _FEWEST
    return float(TTestPower().solve_power(effect_size=abs(effect) / sd, nobs=None, alpha=alpha, power=power))


def retrodesign(true_effect: float, se: float, *, alpha: float = 0.05) -> Retrodesign:
    """Return power, type S error and exaggeration of a normal estimate.

    Source: Gelman and Carlin 2014, in the closed form of Lu, Qiu and Deng 2019.
    """
    from scipy.stats import norm  # noqa: PLC0415 - heavy to import

    z = float(norm.ppf(1 - alpha / 2))
    shift = abs(true_effect) / se
    right, wrong = float(norm.sf(z - shift)), float(norm.cdf(-z - shift))
    power = right + wrong
    tails = float(norm.pdf(shift + z) + norm.pdf(shift - z))
    size = tails + shift * float(norm.cdf(shift + z) + norm.cdf(shift - z) - 1)
    return Retrodesign(power=power, type_s=wrong / power, exaggeration=size / (shift * power))
