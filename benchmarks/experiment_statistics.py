"""How long the statistics of an experiment take, and that they are the same twice.

325 items in 110 conversations, 10 strategies, 10,000 resamples, each with BCa intervals of 95 % and 90 %, intervals
where the strategy fired and where it declined, a permutation test, exact sign test, power and Holm's correction:

    .venv/bin/python -m benchmarks.experiment_statistics
"""

import hashlib
import time

import numpy as np

from pipelines.experiments.comparison import Score, Settings, compare_all

ITEMS, TALKS, STRATEGIES = 325, 110, 10


def scores() -> dict[str, dict[str, Score]]:
    rng = np.random.default_rng(7)
    base = rng.beta(1, 3, ITEMS).round(2)
    talks = rng.integers(0, TALKS, ITEMS)
    table = {"raw": {f"i{at}": Score(value=float(base[at]), cluster=str(talks[at])) for at in range(ITEMS)}}
    for number in range(STRATEGIES):
        moved = np.where(rng.random(ITEMS) < 0.4, rng.normal(0.01 * number, 0.25, ITEMS).round(2), 0.0)
        table[f"s{number}"] = {
            f"i{at}": Score(value=float(base[at] + moved[at]), cluster=str(talks[at]), fired=bool(moved[at]))
            for at in range(ITEMS)
        }
    return table


def main() -> None:
    import scipy.stats
    import statsmodels.stats.power  # noqa: F401 - imported before the clock starts

    table = scores()
    digests = []
    for attempt in range(2):
        began = time.perf_counter()
        compared = compare_all(table, control="raw", measure="m", settings=Settings(resamples=10_000))
        seconds = time.perf_counter() - began
        digests.append(hashlib.sha256(repr(compared).encode()).hexdigest()[:16])
        print(f"run {attempt + 1}: {seconds:.1f} s, digest of all figures {digests[-1]}")
    print(f"scipy {scipy.__version__}, numpy {np.__version__}; the same twice: {digests[0] == digests[1]}")
    for each in compared[:3]:
        assert each.interval is not None
        print(f"{each.strategy}: {each.difference:+.4f} [{each.interval.low:+.4f}, {each.interval.high:+.4f}]")


if __name__ == "__main__":
    main()
