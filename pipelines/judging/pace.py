"""How fast to ask: within limits per minute that are stated, and within a limit on calls at once that is found out.

The limit at once grows fourfold every round trip until the endpoint first says "too many" (slow start; doubling, as
networks do, would leave most calls idle for the first seconds of a night, and a refused call costs nothing but the
try), and is cut then, by one call or by a tenth. From then on it grows by one a round trip, and ten times more slowly
near the height at which it was cut, so that it stays just below instead of sawing up and down (additive increase,
multiplicative decrease, with a remembered ceiling as in RFC 9438, section 4).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

_START = 16.0
#: for each answer of the slow start
_CLIMB = 3.0
_CUT = 0.9
_NEAR = 10.0
#: seconds' worth of calls or tokens that may go out together; more would be a burst that a strict limiter refuses
_BURST_SECONDS = 0.5
_SHORTEST_WAIT = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an endpoint allows; None where it is not known."""

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    most_at_once: int = 64


class _Allowance:
    """An allowance that fills up again: takes at once what is asked for, and says how long until that is paid off."""

    def __init__(self, per_minute: float, now: float) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, self._rate * _BURST_SECONDS)
        self._level = self._burst
        self._at = now

    def wait(self, amount: float, now: float) -> float:
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        # An amount beyond the burst may start from a full allowance and leaves a debt.
        return max(0.0, (min(amount, self._burst) - self._level) / self._rate)

    def take(self, amount: float) -> None:
        self._level -= amount


class Pace:
    """Lets calls through one after the other, in the order in which they asked."""

    def __init__(
        self, limits: Limits, *, monotonic: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._limits = limits
        self._monotonic = monotonic
        self._sleep = sleep
        # Where a rate is stated it is kept from the first call on, and there is no need to feel the way.
        stated = limits.requests_per_minute is not None or limits.tokens_per_minute is not None
        self._allowed = float(limits.most_at_once if stated else min(_START, limits.most_at_once))
        self._ceiling = float("inf")
        self._in_flight = 0
        self._cut_at = float("-inf")
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()
        now = monotonic()
        per_minute = (limits.requests_per_minute, limits.tokens_per_minute)
        self._requests, self._tokens = (None if rate is None else _Allowance(rate, now) for rate in per_minute)

    @property
    def allowed(self) -> int:
        """Return how many calls may be under way at once, now."""
        return int(self._allowed)

    @asynccontextmanager
    async def call(self, tokens: float) -> AsyncIterator["Call"]:
        """Wait for a turn to make one call of about so many tokens; report its end on what this yields."""
        async with self._turn:
            while self._in_flight >= self.allowed:
                self._freed.clear()
                await self._freed.wait()
            await self._wait_for_rate(tokens)
            self._in_flight += 1
        try:
            yield Call(pace=self, started=self._monotonic(), tokens=tokens)
        finally:
            self._in_flight -= 1
            self._freed.set()

    async def _wait_for_rate(self, tokens: float) -> None:
        for allowance, amount in ((self._requests, 1.0), (self._tokens, tokens)):
            if allowance is None:
                continue
            # A shorter wait than this may not move a clock at all, and then would never end.
            while (seconds := allowance.wait(amount, self._monotonic())) > _SHORTEST_WAIT:
                await self._sleep(seconds)
            allowance.take(amount)

    def went_well(self, used: float, expected: float) -> None:
        """Grow a little, and settle the tokens that were really used."""
        if self._tokens is not None:
            self._tokens.take(used - expected)
        if self._in_flight >= self.allowed:
            self._allowed = min(self._limits.most_at_once, self._allowed + self._growth())

    def _growth(self) -> float:
        if self._ceiling == float("inf"):
            return _CLIMB
        near = self._allowed >= self._ceiling * _CUT
        return 1 / (self._allowed * (_NEAR if near else 1.0))

    def was_too_much(self, started: float) -> None:
        """Shrink, once for all the calls that were under way together."""
        if started <= self._cut_at:
            return
        self._cut_at = self._monotonic()
        self._ceiling = self._allowed
        # All but the refused call were borne, so there is no need to fall below their number at once.
        self._allowed = max(1.0, self._allowed * _CUT, min(self._allowed, self._in_flight) - 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call that was let through."""

    pace: Pace
    started: float
    tokens: float

    def went_well(self, used: float) -> None:
        """Say that the endpoint answered, and how many tokens that took."""
        self.pace.went_well(used, self.tokens)

    def was_too_much(self) -> None:
        """Say that the endpoint refused the call for its pace."""
        self.pace.was_too_much(self.started)
