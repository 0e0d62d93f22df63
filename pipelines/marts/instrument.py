"""What the judge adds to a figure: how far it moves by judging again, and whether it has moved for good; pure."""

from dataclasses import dataclass
from datetime import date

#: of a standard normal, for an interval of 95 %
_Z = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """How far a rate moved when the same passages were judged again: what a difference must exceed to mean anything."""

    day: date
    difference: float
    standard_error: float | None

    @property
    def floor(self) -> float:
        """Return the end of the 95 % interval of that move that lies farther from nothing, as a share."""
        return abs(self.difference) + _Z * (self.standard_error or 0.0)


def against_floor(difference: float, floor: NoiseFloor | None) -> str:
    """Return a difference of two rates beside its noise floor, in points, such as `+3.1 (1.2)`."""
    if floor is None:
        return f"{difference * 100:+.1f}"
    return f"{difference * 100:+.1f} ({floor.floor * 100:.1f})"


def difference_in_words(difference: float, floor: NoiseFloor | None) -> str:
    """Return a line on the difference to the night before, with what is to be made of it."""
    moved = f"{difference * 100:+.1f} points to the night before"
    if floor is None:
        return f"{moved}; how much of that is the judge's noise is not known (nightcheck judge noise --day D)"
    known = f"judging the same passages again moves it by up to {floor.floor * 100:.1f} (measured on {floor.day})"
    return f"{moved}; {known}" + (": no difference to speak of" if abs(difference) <= floor.floor else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentNight:
    """How a night's judge stands by its chart over the frozen passages, on the last night that asked about them."""

    day: date
    state: str
    moved: int
    passages: int
    unanswered: int
    usual: float | None
    score: float | None

    def __str__(self) -> str:
        missing = f"; {self.unanswered:,} had no answer" if self.unanswered else ""
        if not self.passages:
            frozen = "no frozen passage to compare"
        else:
            frozen = f"{self.moved:,} of {self.passages:,} frozen passages judged otherwise than first"
        usual = "" if self.usual is None else f" (usual {self.usual:.1%})"
        said = {
            "learning": "still learning what is usual",
            "ok": "the judge has not moved",
            "moved": "THE JUDGE HAS MOVED: differences say nothing of the retrievals",
            "no_data": "nothing is known of the judge",
        }[self.state]
        return f"{said}: {frozen}{usual}{missing}, {self.day}"
