"""Has the instrument moved? A chart over the nights on which the same frozen passages were judged again; pure.

A judge that is asked the same again changes some grades by chance. How many, its first nights show. From then on each
frozen retrieval bets, in proportion to the share of its passages that moved, on more having moved than by chance, and a
Shiryaev-Roberts score adds the bets up, as the charts of the alerts do (`pipelines.alerts.chart`). At 180 the
instrument has moved: while nothing changes that is said once in 180 nights or less often, if what is usual is known;
with what a week shows of it, it was still false within 60 nights in 1 or 2 of 100 simulated sets of 100 passages.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import numpy as np

from pipelines.alerts.chart import ALARM, advance, bets

#: nights that show how much moves by chance
LEARNING_NIGHTS = 7

State = Literal["learning", "ok", "moved", "no_data"]
#: day, instrument, tenant, retrieval id, passages that moved, passages compared, passages without an answer
AnchorRow = tuple[date, str, str, str, int, int, int]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """One judge over the nights on which it judged the frozen passages: what was compared, and its chart."""

    nights: Mapping[date, Sequence[Moved]]
    #: passages without an answer, by night
    unanswered: Mapping[date, int]
    drifts: Sequence[Drift] = field(default_factory=tuple)

    def state(self, day: date) -> State:
        """Return what is known of the instrument after a night; a night without any answer changes nothing.

        So a judge that had moved has still moved on a night on which it could not be asked.
        """
        known = [drift for drift in self.drifts if drift.day <= day]
        if known and known[-1].instrument_moved:
            return "moved"
        if not self.nights.get(day):
            return "no_data" if self.unanswered.get(day) else "learning"
        return "learning" if not known or known[-1].score is None else "ok"


def instruments(rows: Iterable[AnchorRow], accepted: Sequence[date] = ()) -> dict[str, Instrument]:
    """Return every judge that was ever asked about the frozen passages, by name; see `chart` for `accepted`."""
    nights: defaultdict[str, defaultdict[date, list[Moved]]] = defaultdict(lambda: defaultdict(list))
    missing: defaultdict[str, defaultdict[date, int]] = defaultdict(lambda: defaultdict(int))
    for day, name, _tenant, _retrieval_id, moved, passages, unanswered in rows:
        missing[name][day] += unanswered
        if passages:
            nights[name][day].append(Moved(moved=moved, passages=passages))
    return {
        name: Instrument(nights=nights[name], unanswered=missing[name], drifts=chart(nights[name], accepted))
        for name in sorted(missing)
    }


def chart(nights: Mapping[date, Sequence[Moved]], accepted: Sequence[date] = ()) -> list[Drift]:
    """Return the chart after each night, oldest first. A night without any frozen passage judged is left out.

    After a day of `accepted`, on which somebody took what nights show as what is usual from now on, it starts anew.
    """
    days = [day for day in sorted(nights) if nights[day]]
    since = [date.min, *sorted(accepted)]
    until = [*sorted(accepted), date.max]
    return [
        drift
        for first, last in zip(since, until, strict=True)
        for drift in _stretch({day: nights[day] for day in days if first < day <= last})
    ]


def _stretch(nights: Mapping[date, Sequence[Moved]]) -> list[Drift]:
    days = list(nights)
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
