"""Half-open intervals of instants, and the anchor that relative phrases are read from."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo

from pipelines.resolution.structured.expression import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """All instants from `start` up to and without `end`, both in the asker's time zone; None is an open side."""

    start: datetime | None
    end: datetime | None

    def __contains__(self, instant: datetime) -> bool:
        """Say whether an instant lies inside, compared as instants, not as wall clocks."""
        at = instant.astimezone(UTC)
        return (self.start is None or self.start.astimezone(UTC) <= at) and (
            self.end is None or at < self.end.astimezone(UTC)
        )

    def intersect(self, other: "Interval") -> "Interval | None":
        """Return what lies in both, or None where that is nothing."""
        starts = [side for side in (self.start, other.start) if side is not None]
        ends = [side for side in (self.end, other.end) if side is not None]
        start = max(starts, key=lambda side: side.astimezone(UTC), default=None)
        end = min(ends, key=lambda side: side.astimezone(UTC), default=None)
        if start is not None and end is not None and start.astimezone(UTC) >= end.astimezone(UTC):
            return None
        return Interval(start=start, end=end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What relative phrases are read from: an instant with its time zone, the first day of a week, and the tense."""

    at: datetime
    week_start: int = 0
    side: Side | None = None

    @property
    def today(self) -> date:
        """The date of the instant on the asker's wall clock."""
        return self.at.date()

    @property
    def zone(self) -> tzinfo:
        """The time zone of the instant. Raises ValueError where it has none."""
        if self.at.tzinfo is None:
            msg = "the anchor needs a time zone"
            raise ValueError(msg)
        return self.at.tzinfo
