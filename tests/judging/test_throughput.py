"""How much of an endpoint's throughput the judge uses, in time that passes only when everybody waits for it."""

import asyncio
import json
import selectors
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from pipelines.judging.batch import Desk
from pipelines.judging.budget import Ceiling
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.pace import Limits
from pipelines.judging.verdict import Status
from schemas.chat import Outcome, Reply, Tokens
from tests.judging.build import a_manner, a_retrieval
from tests.judging.scripted_endpoint import verdict

TOKENS = 2_300
SECONDS = 40.0


class _Selector(selectors.SelectSelector):
    """Where everybody waits, time jumps to when the first of them wakes."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the virtual time."""
        return self._clock.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An endpoint's limits, and which of them the judge is told."""

    latency: float
    a_minute: float | None = None
    tokens_a_minute: float | None = None
    at_once: int = 10_000
    retry_after: float | None = 0.2

    @property
    def ideal(self) -> float:
        """Calls a second that get through, with the 64 at once that the judge makes at most."""
        rates = [min(self.at_once, 64) / self.latency]
        rates += [self.a_minute / 60] if self.a_minute else []
        rates += [self.tokens_a_minute / 60 / TOKENS] if self.tokens_a_minute else []
        return min(rates)


CASES = {
    "600 calls a minute": Case(latency=0.5, a_minute=600),
    "1,800 calls a minute": Case(latency=0.8, a_minute=1_800),
    "2,000,000 tokens a minute": Case(latency=0.5, tokens_a_minute=2_000_000),
    "4 at once": Case(latency=0.3, at_once=4),
    "16 at once": Case(latency=0.6, at_once=16),
    "16 at once, no Retry-After": Case(latency=0.6, at_once=16, retry_after=None),
    "40 at once, slow": Case(latency=2.0, at_once=40),
    "no limit but 64 at once, slow": Case(latency=2.0),
}


class Limited:
    """An endpoint with leaky buckets of one second, and a most at once."""

    def __init__(self, case: Case, loop: VirtualLoop) -> None:
        self.case = case
        self.loop = loop
        self.rng = np.random.default_rng(1)
        self.under_way = 0
        self.rates = [
            (rate / 60, amount)
            for rate, amount in ((case.a_minute, 1.0), (case.tokens_a_minute, float(TOKENS)))
            if rate is not None
        ]
        self.levels = [max(rate, amount) for rate, amount in self.rates]
        self.at = 0.0

    @property
    def batches(self) -> Desk:
        """There are none."""
        raise NotImplementedError

    def _refuses(self) -> bool:
        passed, self.at = self.loop.time() - self.at, self.loop.time()
        self.levels = [
            min(max(rate, amount), level + passed * rate)
            for level, (rate, amount) in zip(self.levels, self.rates, strict=True)
        ]
        if self.under_way >= self.case.at_once:
            return True
        if any(level < amount for level, (_, amount) in zip(self.levels, self.rates, strict=True)):
            return True
        self.levels = [level - amount for level, (_, amount) in zip(self.levels, self.rates, strict=True)]
        return False

    async def ask(self, body: Mapping[str, Any]) -> Reply:
        """Answer after a while, or refuse at once."""
        if self._refuses():
            return Reply(outcome=Outcome.RATE_LIMITED, retry_after=self.case.retry_after)
        self.under_way += 1
        await asyncio.sleep(float(self.case.latency * self.rng.uniform(0.8, 1.2)))
        self.under_way -= 1
        passages = json.loads(body["messages"][1]["content"])["passages"]
        tokens = Tokens(prompt=TOKENS - 300, completion=300)
        return Reply(outcome=Outcome.ANSWERED, text=json.dumps(verdict(passages)), tokens=tokens)


async def reached(case: Case, loop: VirtualLoop) -> float:
    """Return the calls a second that a judge gets through, over about forty seconds."""

    @asynccontextmanager
    async def connect() -> AsyncIterator[Limited]:
        yield Limited(case, loop)

    judge = OpenAIJudge(
        connect=connect,
        manner=a_manner(),
        limits=Limits(requests_per_minute=case.a_minute, tokens_per_minute=case.tokens_a_minute),
        ceiling=Ceiling(),
        rng=np.random.default_rng(1),
        monotonic=loop.time,
        sleep=asyncio.sleep,
    )
    # as long as real prompts are, so that what is expected of a call is near what it takes
    retrievals = [
        a_retrieval(f"The plan {n}. " * 40, query=f"q {n}", retrieval_id=f"r-{n}")
        for n in range(int(case.ideal * SECONDS))
    ]
    done = 0
    async for each in judge.judge(retrievals):
        done += each.status is Status.JUDGED
    assert done == len(retrievals)
    # the last answer takes its time whatever the limit is
    return done / (loop.time() - case.latency)


def in_virtual_time(case: Case) -> float:
    """Return the calls a second that a judge gets through."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        return runner.run(reached(case, loop))


@pytest.mark.parametrize("name", CASES)
def test_nearly_all_that_an_endpoint_lets_through_is_used(name: str) -> None:
    """At least 0.95 of it, whether the judge was told the limit or has to find it."""
    case = CASES[name]

    share = in_virtual_time(case) / case.ideal

    assert share >= 0.95
