"""A rate night by night, with what one must know to read it: intervals, gaps, changes of definition; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from pipelines.marts.instrument import NoiseFloor

#: what bears on the rates of relevance; other definitions change figures that stand elsewhere
_OF_RATES = frozenset(
    {"judge", "model", "rubric", "sufficiency rubric", "instructions", "metric", "metric of fault_daily"}
)
#: what may be shown night by night, in words: shares of the judged passages
MEASURES: Mapping[str, str] = {
    "irrelevant_need": "Irrelevant passages (nothing to do with the need)",
    "irrelevant_query": "Passages that have nothing to do with the searched query",
    "fault_ok": "Passages that fit query and need",
    "fault_query": "Query broke: passages that fit what was searched, not what was wanted",
    "fault_retriever": "Retriever broke: passages that fit neither query nor need",
    "fault_lucky": "Lucky: passages that fit what was wanted alone",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRate:
    """One night of a series. Without a rate there was nothing to judge, or the night is not complete."""

    day: date
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    passages: int = 0
    coverage: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionChange:
    """From `day` on, figures are made in another way: by another `judge`, `model`, `rubric`, `metric`, and so on."""

    day: date
    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.day}: {self.what} {self.after}, before {self.before}"

    @property
    def of_rates(self) -> bool:
        """Whether rates of relevance on the two sides do not compare; else only the figures that are named do not."""
        return self.what in _OF_RATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Rise:
    """Nights on which an alert stood, and what it says."""

    since: date
    last_day: date
    headline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The nights of one tenant, one a day without a gap in the days, oldest first. A tenant of `*` is all of them."""

    tenant: str
    nights: tuple[NightRate, ...]
    changes: tuple[DefinitionChange, ...] = ()
    rises: tuple[Rise, ...] = ()
    #: how far judging again alone moves the rate, where that was measured
    floor: NoiseFloor | None = None
    measure: str = "irrelevant_need"

    @property
    def difference(self) -> float | None:
        """Return the newest night's rate less that of the night before; None where they are not there or not alike."""
        if len(self.nights) < 2 or len(self.nights) - 1 in self.breaks:
            return None
        before, newest = self.nights[-2].rate, self.nights[-1].rate
        return None if before is None or newest is None else newest - before

    @property
    def title(self) -> str:
        """Say what is shown and whose it is."""
        return f"{MEASURES[self.measure]}, {'all tenants' if self.tenant == '*' else self.tenant}"

    @property
    def top(self) -> float:
        """Return the round share that the picture's axis ends at: a multiple of a tenth above every interval."""
        highest = max((night.high or night.rate or 0.0 for night in self.nights), default=0.0)
        return min(1.0, (int(highest * 10) + 1) / 10)

    @property
    def breaks(self) -> tuple[int, ...]:
        """Return the places of the nights from which on another definition holds."""
        changed = {change.day for change in self.changes if change.of_rates}
        return tuple(place for place, night in enumerate(self.nights) if night.day in changed)

    @property
    def alarming(self) -> tuple[int, ...]:
        """Return the places of the nights on which an alert stood."""
        return tuple(
            place
            for place, night in enumerate(self.nights)
            if any(rise.since <= night.day <= rise.last_day for rise in self.rises)
        )

    def stretches(self) -> list[list[tuple[int, NightRate]]]:
        """Return the nights with a rate, each with its place, cut at gaps and where the definition changes."""
        cut: list[list[tuple[int, NightRate]]] = [[]]
        for place, night in enumerate(self.nights):
            if place in self.breaks or night.rate is None:
                cut.append([])
            if night.rate is not None:
                cut[-1].append((place, night))
        return [stretch for stretch in cut if stretch]


def series(
    tenant: str,
    rows: Iterable[Mapping[str, Any]],
    first: date,
    last: date,
    *,
    changes: Sequence[DefinitionChange] = (),
    rises: Sequence[Rise] = (),
    floor: NoiseFloor | None = None,
    measure: str = "irrelevant_need",
) -> Trend:
    """Lay rows of a mart of rates (one a day at most, of one series) out over every day from first to last."""
    known = {
        row["day"]: NightRate(
            day=row["day"],
            rate=row["rate"],
            low=row["low"],
            high=row["high"],
            passages=row["passages"],
            coverage=row["coverage"],
        )
        for row in rows
    }
    days = [first + timedelta(days=each) for each in range((last - first).days + 1)]
    return Trend(
        tenant=tenant,
        nights=tuple(known.get(day, NightRate(day=day)) for day in days),
        changes=tuple(changes),
        rises=tuple(rises),
        floor=floor,
        measure=measure,
    )
