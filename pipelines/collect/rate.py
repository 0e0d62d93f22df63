"""How much a key may send: an allowance per key that fills up again; pure."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Rate:
    """Events per second, with a burst, per key. Times are seconds of a monotonic clock."""

    per_second: float = 5_000.0
    burst: float = 20_000.0
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait(self, key_id: str, events: int, at: float) -> float:
        """Return 0 and take the events from the key's allowance, or return how many seconds to wait and take nothing.

        A request larger than the burst passes once the allowance is full, and empties it.
        """
        left, since = self._left.get(key_id, (self.burst, at))
        left = min(self.burst, left + max(0.0, at - since) * self.per_second)
        needed = min(float(events), self.burst)
        if left >= needed:
            self._left[key_id] = (left - needed, at)
            return 0.0
        self._left[key_id] = (left, at)
        return (needed - left) / self.per_second
