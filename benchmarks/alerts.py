"""How often the alarm calls for nothing, and how soon it calls for something.

    .venv/bin/python -m benchmarks.alerts [--fleets 100] [--only 56] [--combined 0.33]

Simulates fleets of 30 tenants x {conversation, document} x three positions, 10 retrievals of 5 passages a night for
each tenant and kind; passages of a retrieval hang together (intraclass correlation 0.2). Every fleet has its own
baseline, measured from its own nights by the code that measures it in production, and is then watched by the production
charts: 558 overlapping slices, one alarm. Printed are nights between false alarms and mean nights to an alarm after a
change, each with its standard error, for five changes:

    S1  one tenant's conversation snippets x1.5        S3  every tenant's combined snippets x1.3
    S5  one tenant's documents x1.5                    S4  everything x1.1
    S2  one tenant's combined turns x1.5

Delays of S2 and S3 depend on how much of a night is combined turns: four of ten, or as `--combined` says.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pipelines.alerts.baseline import NOTHING_USUAL, Baseline, baseline
from pipelines.alerts.chart import ALARM, SHIFTS, Layout, advance, layout, log_bets
from pipelines.alerts.night import Night, Stratum
from pipelines.alerts.slices import Leaf, slices_of

Floats = NDArray[np.float64]

TENANTS, RETRIEVALS, PASSAGES, RHO = 30, 10, 5, 0.2
USUAL = {"conversation": 1 / 6, "document": 0.32}
POSITIONS = dict.fromkeys(("first", "later_as_typed", "combined"), 1 / 3)
LEAVES = tuple(
    sorted(
        Leaf(f"t{i:02d}.example", kind, position) for i in range(TENANTS) for kind in USUAL for position in POSITIONS
    )
)
RATES = np.array([USUAL[leaf.kind] for leaf in LEAVES])
SHARES = np.arange(PASSAGES + 1) / PASSAGES
STEADY, PATIENCE, LONGEST = 30, 400, 20_000


def changed(which: Callable[[Leaf], bool], by: float) -> Floats:
    """Return the rates with those of some leaves multiplied."""
    return np.where([which(leaf) for leaf in LEAVES], RATES * by, RATES)


CHANGES = {
    "S1": changed(lambda leaf: leaf.tenant == "t00.example" and leaf.kind == "conversation", 1.5),
    "S5": changed(lambda leaf: leaf.tenant == "t00.example" and leaf.kind == "document", 1.5),
    "S2": changed(lambda leaf: leaf.tenant == "t00.example" and leaf.position == "combined", 1.5),
    "S3": changed(lambda leaf: leaf.kind == "conversation" and leaf.position == "combined", 1.3),
    "S4": RATES * 1.1,
}


def draw(rates: Floats, nights: int, rng: np.random.Generator, shock: float = 0.0) -> Floats:
    """Return retrievals by night, leaf and irrelevant passages (nights x leaves x 6)."""
    pairs = len(LEAVES) // len(POSITIONS)
    shares = [POSITIONS[position] for position in sorted(POSITIONS)]
    sizes = rng.multinomial(RETRIEVALS, shares, size=(nights, pairs)).reshape(nights, len(LEAVES))
    moved = (
        np.clip(rates + rng.normal(0, shock, size=(nights, 1)), 0.01, 0.95)
        if shock
        else np.broadcast_to(rates, sizes.shape)
    )
    each = np.repeat(np.arange(sizes.size), sizes.ravel())
    rate = moved.ravel()[each]
    own = rng.beta(rate * (1 - RHO) / RHO, (1 - rate) * (1 - RHO) / RHO)
    cell = each * (PASSAGES + 1) + rng.binomial(PASSAGES, own)
    return (
        np.bincount(cell, minlength=sizes.size * (PASSAGES + 1))
        .reshape(nights, len(LEAVES), PASSAGES + 1)
        .astype(float)
    )


def as_nights(counts: Floats) -> Iterator[Night]:
    """Turn simulated nights into the values that production reads."""
    for number, night in enumerate(counts):
        leaf, irrelevant = np.nonzero(night)
        count = night[leaf, irrelevant].astype(np.int64)
        nothing = np.zeros(len(leaf), dtype=np.int64)
        yield Night(
            day=date(2026, 1, 5) + timedelta(days=number),
            instrument="simulated",
            complete=True,
            leaves=LEAVES,
            strata=tuple(Stratum(RETRIEVALS, RETRIEVALS) for _ in LEAVES),
            leaf=leaf,
            judged=np.full(len(leaf), PASSAGES),
            irrelevant=irrelevant,
            count=count,
            query_faults=nothing,
            retriever_faults=nothing,
        )


def truth(measured: Baseline) -> Baseline:
    """Return what a baseline would be if nothing had to be estimated."""
    slices = []
    for each in measured.slices:
        rates = [(RATES[i], POSITIONS[leaf.position]) for i, leaf in enumerate(LEAVES) if each.slice.holds(leaf)]
        weight = sum(share for _, share in rates)
        spread = (1 + (PASSAGES - 1) * RHO) / PASSAGES
        slices.append(
            replace(
                each,
                rate=sum(rate * share for rate, share in rates) / weight,
                variance=sum(rate * (1 - rate) * share for rate, share in rates) / weight * spread,
                guard=0.0,
                tempering=1.0,
                highest=max(rate for rate, _ in rates),
            )
        )
    return replace(measured, leaves=dict(zip(LEAVES, RATES.tolist(), strict=True)), slices=tuple(slices))


@dataclass(frozen=True, slots=True)
class Watch:
    """The production bets of one fleet, arranged so that many nights are one product."""

    layout: Layout
    bets: tuple[sparse.csr_array, ...]

    @classmethod
    def over(cls, usual: Baseline) -> "Watch":
        """Arrange the bets on every leaf and share."""
        arranged = layout(usual)
        leaf = np.repeat(np.arange(len(LEAVES)), len(SHARES))
        row, slices, logs = log_bets(arranged, usual, LEAVES, leaf, np.tile(SHARES, len(LEAVES)))
        tempered = logs / arranged.tempering[slices][:, None]
        shape = (len(leaf), len(arranged.slices))
        return cls(
            arranged, tuple(sparse.csr_array((tempered[:, j], (row, slices)), shape=shape) for j in range(len(SHIFTS)))
        )

    def log_e(self, counts: Floats) -> Floats:
        """Return the logs of the nights' bets: nights x slices x shifts."""
        flat = sparse.csr_array(counts.reshape(len(counts), -1))
        return np.stack([(flat @ bets).toarray() for bets in self.bets], axis=2)

    def run(self, nights: Iterator[Floats]) -> int | None:
        """Return the number of the night of the first alarm; None where the nights end first."""
        log_r = np.full((len(self.layout.slices), len(SHIFTS)), -np.inf)
        number = 0
        for counts in nights:
            for log_e in self.log_e(counts):
                number += 1
                log_r = advance(log_r, log_e)
                peak = log_r.max()
                fleet = np.exp(log_r - peak).mean(axis=1) @ np.exp(self.layout.log_weight)
                if np.log(fleet) + peak >= np.log(ALARM):
                    return number
        return None


def usual_of(
    rng: np.random.Generator, nights: int, guard: float | None, tempering: float | None, shock: float
) -> Baseline:
    """Measure a baseline; `guard` and `tempering` replace the measured ones, nights = 0 is the truth."""
    measured = baseline(list(as_nights(draw(RATES, nights or 56, rng, shock))), frozen=NOTHING_USUAL)
    if nights == 0:
        return truth(measured)
    slices = tuple(
        replace(
            each,
            guard=each.guard if guard is None else each.guard / 1.645 * guard,
            tempering=each.tempering if tempering is None else tempering,
        )
        for each in measured.slices
    )
    return replace(measured, slices=slices)


def measure(
    name: str,
    fleets: int,
    *,
    nights: int,
    guard: float | None = None,
    tempering: float | None = None,
    shock: float = 0.0,
    delays: bool = True,
) -> None:
    """Print one row."""
    began = time.perf_counter()
    false_alarms: list[int] = []
    waits: dict[str, list[int]] = {change: [] for change in CHANGES}
    for fleet in range(fleets):
        rng = np.random.default_rng([20261130, fleet, nights])
        watch = Watch.over(usual_of(rng, nights, guard, tempering, shock))
        quiet = (draw(RATES, 100, rng, shock) for _ in range(LONGEST // 100))
        false_alarms.append(watch.run(quiet) or LONGEST)
        for change, rates in CHANGES.items() if delays else ():
            steady = draw(RATES, STEADY, rng, shock)
            later = (draw(rates, 20, rng, shock) for _ in range(PATIENCE // 20))
            alarm = watch.run(part for parts in ([steady], later) for part in parts)
            if alarm is None or alarm > STEADY:  # one before the change is a false alarm, and no delay
                waits[change].append((alarm or STEADY + PATIENCE) - STEADY)
    lengths = np.array(false_alarms)
    row = "  ".join(
        f"{np.mean(wait):5.1f} ±{np.std(wait) / np.sqrt(len(wait)):3.1f}" if wait else f"{'–':>10}"
        for wait in waits.values()
    )
    error = lengths.std() / np.sqrt(fleets)
    print(f"{name:44} {lengths.mean():7.0f} ±{error:4.0f}   {row}   ({time.perf_counter() - began:.0f} s)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fleets", type=int, default=100)
    parser.add_argument("--only", choices=["known", "28", "56", "shock"])
    parser.add_argument("--combined", type=float, default=0.4, help="share of turns that are combined ones")
    options = parser.parse_args()
    rest = (1 - options.combined) / 2
    POSITIONS.update(combined=options.combined, first=rest, later_as_typed=rest)
    slices = len({each for leaf in LEAVES for each in slices_of(leaf)})
    size = f"{len(LEAVES)} leaves, {slices} slices, {TENANTS * len(USUAL) * RETRIEVALS} retrievals a night"
    print(f"{options.fleets} fleets, {size}")
    print(f"{'baseline':44} {'nights between false alarms':>14}   " + "  ".join(f"{change:>10}" for change in CHANGES))
    rows: dict[str, list[tuple[str, dict[str, float | int | bool | None]]]] = {
        "known": [("known", {"nights": 0})],
        "28": [("28 nights", {"nights": 28}), ("28 nights, tempering 1", {"nights": 28, "tempering": 1.0})],
        "56": [
            ("56 nights, no guard, tempering 1", {"nights": 56, "guard": 0.0, "tempering": 1.0, "delays": False}),
            ("56 nights, tempering 1", {"nights": 56, "tempering": 1.0}),
            ("56 nights (as in production)", {"nights": 56}),
        ],
        "shock": [
            (
                "56 nights, all rates ±2 points a night, t. 1",
                {"nights": 56, "shock": 0.02, "tempering": 1.0, "delays": False},
            ),
            ("56 nights, all rates ±2 points a night", {"nights": 56, "shock": 0.02}),
        ],
    }
    for group, of_group in rows.items():
        for name, settings in of_group if options.only in (None, group) else ():
            measure(name, options.fleets, **settings)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
