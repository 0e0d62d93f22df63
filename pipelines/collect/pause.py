"""When a client may send again: a pause that a collector asked for, kept over a restart and never longer than a limit.

Whatever is stored, and wherever the clock jumps, a client is silent for `LONGEST_SECONDS` at most: one that believed
its own stored state for ever would drop events without a word.
"""

import json
import math
from dataclasses import dataclass

LONGEST_SECONDS = 60.0
SHORTEST_SECONDS = 0.1


@dataclass(slots=True)
class Pause:
    """Until when nothing is sent, on a monotonic clock."""

    until: float = 0.0

    def ask(self, seconds: float, at: float) -> None:
        """Do not send for so many seconds from `at` on; what is no time is the shortest pause."""
        wait = seconds if math.isfinite(seconds) and seconds > SHORTEST_SECONDS else SHORTEST_SECONDS
        self.until = at + min(wait, LONGEST_SECONDS)

    def left(self, at: float) -> float:
        """Return how many seconds are left. A clock that went back cannot prolong the pause beyond the limit."""
        return min(max(0.0, self.until - at), LONGEST_SECONDS)

    def stored(self, at: float, wall: float) -> bytes:
        """Return what to keep over a restart: the end of the pause by the wall clock."""
        return json.dumps({"until": wall + self.left(at)}).encode()

    @classmethod
    def restored(cls, content: bytes, at: float, wall: float) -> "Pause":
        """Read what was kept; where it is damaged, absurd or from another time there is no pause."""
        try:
            until = json.loads(content)["until"]
            left = float(until) - wall if isinstance(until, int | float) and not isinstance(until, bool) else 0.0
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return cls()
        return cls(until=at + left) if 0 < left <= LONGEST_SECONDS else cls()
