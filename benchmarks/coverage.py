"""How often the published interval holds the true rate, on clustered samples.

    .venv/bin/python -m benchmarks.coverage [--samples 6000]

Each row is a design: retrievals in three strata that are drawn from unequally, passages that hang together within a
retrieval (intraclass correlation rho), equal or unequal numbers of passages. `nights` > 1 is the window of so many
nights. Beside the published interval: Wilson's on the number of passages, as if they were independent, and Wilson's on
the effective number with the normal quantile.
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipelines.sampling.rate import Rates, estimate, sum_cells, t_quantile, wilson

Floats = NDArray[np.float64]

RATES = np.array([0.12, 0.2, 0.35])
FRAME = np.array([600.0, 300.0, 100.0])


@dataclass(frozen=True, slots=True)
class Design:
    """How a night is sampled."""

    drawn: tuple[int, int, int]
    rho: float
    nights: int = 1
    scale: float = 1.0
    varying: bool = False


DESIGNS = [
    Design((4, 3, 3), 0.2),
    Design((8, 7, 5), 0.35),
    Design((18, 13, 9), 0.2),
    Design((18, 13, 9), 0.35, varying=True),
    Design((45, 35, 20), 0.35),
    Design((18, 13, 9), 0.2, scale=0.25),
    Design((2, 2, 1), 0.2, nights=7),
    Design((18, 13, 9), 0.35, nights=7),
    Design((2, 2, 1), 0.35, nights=28, varying=True),
]


def simulate(design: Design, samples: int, rng: np.random.Generator) -> tuple[Rates, float]:
    """Return the rates of many samples of one design, and the true rate."""
    cells = samples * design.nights * 3
    cell = np.repeat(np.arange(cells), np.tile(design.drawn, samples * design.nights))
    mean = RATES[cell % 3] * design.scale
    own = rng.beta(mean * (1 - design.rho) / design.rho, (1 - mean) * (1 - design.rho) / design.rho)
    passages = rng.integers(2, 9, size=len(cell)) if design.varying else np.full(len(cell), 5)
    irrelevant = rng.binomial(passages, own)
    frame = np.tile(FRAME, samples * design.nights)
    sums = sum_cells(cell, irrelevant.astype(float), passages.astype(float), frame=frame)
    rates = estimate(sums, np.repeat(np.arange(samples), design.nights * 3), count=samples)
    return rates, float((FRAME * RATES).sum() / FRAME.sum() * design.scale)


def covered(bounds: tuple[Floats, Floats], truth: float) -> float:
    """Return the share of intervals that hold the truth."""
    low, high = bounds
    return float(np.mean((low <= truth) & (truth <= high)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=6000)
    samples = parser.parse_args().samples
    rng = np.random.default_rng(20261130)
    print(f"{samples} samples each; two standard errors of a coverage near .95 are {2 * (0.0475 / samples) ** 0.5:.3f}")
    print(f"{'drawn':>14} {'nights':>6} {'rho':>5} {'passages':>9} {'rate':>6}   naive  z, n_eff  published   width")
    for design in DESIGNS:
        began = time.perf_counter()
        rates, truth = simulate(design, samples, rng)
        z = t_quantile(np.array([np.inf]))
        naive = covered(wilson(rates.rate, rates.passages, z), truth)
        normal = covered(wilson(rates.rate, rates.effective, z), truth)
        ours = covered((rates.low, rates.high), truth)
        size = "2-8" if design.varying else "5"
        width = float(np.mean(rates.high - rates.low))
        print(
            f"{design.drawn!s:>14} {design.nights:6} {design.rho:5} {size:>9} {truth:6.3f}   "
            f"{naive:5.3f}  {normal:8.3f}  {ours:9.3f}   {width:5.3f}   ({time.perf_counter() - began:.1f} s)"
        )


if __name__ == "__main__":
    main()
