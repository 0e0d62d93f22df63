"""Has the instrument moved? A chart over the nights on which the same frozen passages were judged again; pure.

A judge that is asked the same again changes some grades by chance. How many, its first nights show. From then on each
frozen retrieval bets, in proportion to the share of its passages that moved, on more having moved than by chance, and a
Shiryaev-Roberts score adds the bets up, as the charts of the alerts do (`pipelines.alerts.chart`). At 180 the
instrument has moved: while nothing changes that is said once in 180 nights or less often, if what is usual is known;
with what a week shows of it, it was still false within 60 nights in 1 or 2 of 100 simulated sets of 100 passages.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from pipelines.alerts.chart import ALARM, advance, bets

#: nights that show how much moves by chance
LEARNING_NIGHTS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Of one frozen retrieval's passages on one night, how many have other grades than the first time."""

    moved: int
    passages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """The chart after a night. `usual` and `score` are None while the first nights are learned from."""

    day: date
    share: float
    usual: float | None = None
    score: float | None = None

    @property
    def instrument_moved(self) -> bool:
        """Whether what the nights report is to be put down to the judge."""
        return self.score is not None and self.score >= ALARM


def chart(nights: Mapping[date, Sequence[Moved]]) -> list[Drift]:
    """Return the chart after each night, oldest first. A night without any frozen passage judged is left out."""
    days = [day for day in sorted(nights) if nights[day]]
    learned = [_shares(nights[day]) for day in days[:LEARNING_NIGHTS]]
    drifts = [Drift(day=day, share=float(x.mean())) for day, x in zip(days, learned, strict=False)]
    if len(days) <= LEARNING_NIGHTS:
        return drifts
    known = np.concatenate(learned)
    # One passage more than were seen: a judge that never changed a grade in a week may still change one.
    usual = float((known.sum() + 1) / (known.size + 2))
    variance = max(float(known.var()), usual * (1 - usual) / known.size)
    guard = 1.645 * math.sqrt(variance / known.size)
    stakes = bets(np.array([usual]), np.array([variance]), np.array([usual + guard]))
    log_r = np.full((1, stakes.shape[1]), -np.inf)
    for day in days[LEARNING_NIGHTS:]:
        shares = _shares(nights[day])
        log_e = np.log1p(stakes[0][None, :] * (shares[:, None] - usual - guard)).sum(axis=0)
        log_r = advance(log_r, log_e[None, :])
        drifts.append(Drift(day=day, share=float(shares.mean()), usual=usual, score=_mean(log_r[0])))
    return drifts


def _shares(retrievals: Sequence[Moved]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([each.moved / each.passages for each in retrievals], dtype=np.float64)


def _mean(log_r: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return float(np.exp(np.minimum(log_r, 700.0)).mean())
