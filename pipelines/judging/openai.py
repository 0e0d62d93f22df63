"""The judge that asks a language model, over any endpoint that speaks OpenAI's chat completions."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence, Set
from contextlib import AbstractAsyncContextManager
from copy import copy
from typing import Any

import numpy as np

from pipelines.judging.asking import Answers, Asker, Endpoint, Manner
from pipelines.judging.batch import Batches, BatchRun, call_id
from pipelines.judging.budget import Budget, Ceiling, Limit
from pipelines.judging.order import in_fair_order
from pipelines.judging.pace import Limits, Pace
from pipelines.judging.parts import Part, PartVerdict, parts_of, verdict_of
from pipelines.judging.verdict import JudgeIdentity, RetrievalToJudge, RetrievalVerdict, Status, Usage
from schemas.chat import Reply


class OpenAIJudge:
    """Grades with a language model: one call a retrieval, many at once, within limits and a budget."""

    def __init__(
        self,
        *,
        connect: Callable[[], AbstractAsyncContextManager[Endpoint]],
        manner: Manner,
        limits: Limits,
        ceiling: Ceiling,
        rng: np.random.Generator,
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        batches: Batches | None = None,
        answers_of: Callable[[str], Answers] | None = None,
    ) -> None:
        """Take everything that varies; with `batches`, what can be is asked in batches first.

        `answers_of` returns where the answers for a piece of work are kept, see `keeping`.
        """
        self._connect = connect
        self._manner = manner
        self._limits = limits
        self._rng = rng
        self._monotonic = monotonic
        self._sleep = sleep
        self._batches = batches
        self._answers_of = answers_of
        self._answers: Answers | None = None
        self._ceiling = ceiling
        self._spent_before: Mapping[str, float] = {}
        self.budget = Budget(ceiling)
        self._identity = identity_of(manner)

    @property
    def identity(self) -> JudgeIdentity:
        """Return what goes on every verdict; the hash covers the rubric, the schema, and how the model is asked."""
        return self._identity

    def past_the_store(self) -> "OpenAIJudge":
        """Return this judge without batches and kept answers, in which answers are found again by their content.

        It keeps answers only for a piece of work that says so (`keeping`), and finds none that others were given.
        """
        other = copy(self)
        other._batches = other._answers = None  # noqa: SLF001 - of this very class
        return other

    def keeping(self, work: str) -> "OpenAIJudge":
        """Return this judge as it keeps answers for a piece of work until it is told to forget them.

        What a killed run of that work was answered and did not come to store is found again and not paid for again. To
        be called before what is judged is read, so that an erasure that comes between leaves nothing of it.
        """
        if self._answers_of is None:
            return self
        other = copy(self)
        other._answers = self._answers_of(work)  # noqa: SLF001 - of this very class
        other._answers.begin()  # noqa: SLF001 - as before
        return other

    def forget_answers(self) -> None:
        """Say that the verdicts of this piece of work are stored, so that their answers need not be kept."""
        if self._answers is not None:
            self._answers.clear()

    def after(self, spent: Mapping[str, float]) -> "OpenAIJudge":
        """Return this judge on a night that has cost so much already, by tenant: that counts against its ceiling."""
        other = copy(self)
        other._spent_before = dict(spent)  # noqa: SLF001 - of this very class
        return other

    async def judge(self, retrievals: Sequence[RetrievalToJudge]) -> AsyncIterator[RetrievalVerdict]:
        """Judge each retrieval; verdicts come as they are ready. The budget begins anew, less what `after` took.

        Raises:
            EndpointRefusesError: the endpoint takes no call at all.
        """
        results: asyncio.Queue[RetrievalVerdict | None] = asyncio.Queue()
        self.budget = Budget(self._ceiling, self._spent_before)
        async with self._connect() as endpoint:
            work = asyncio.create_task(self._work(endpoint, in_fair_order(retrievals), results.put_nowait))
            work.add_done_callback(lambda _: results.put_nowait(None))
            try:
                while (verdict := await results.get()) is not None:
                    yield verdict
                work.result()
            except ExceptionGroup as several:
                raise several.exceptions[0] from several
            finally:
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)

    async def _work(
        self,
        endpoint: Endpoint,
        retrievals: Sequence[RetrievalToJudge],
        done: Callable[[RetrievalVerdict], None],
    ) -> None:
        """Start the calls in order, each as soon as there is room and money for it."""
        kept = self._answers.kept() if self._answers is not None else {}
        self._commit(retrievals, kept)
        ready = await self._by_batch(endpoint, retrievals, kept)
        asker = Asker(
            endpoint=endpoint,
            manner=self._manner,
            pace=Pace(self._limits, monotonic=self._monotonic, sleep=self._sleep),
            budget=self.budget,
            rng=self._rng,
            sleep=self._sleep,
            ready=ready,
            answers=self._answers,
            kept=kept,
        )
        known = kept.keys() | ready.keys()
        room = asyncio.Semaphore(2 * self._limits.most_at_once)
        settled = asyncio.Event()
        spent_up = _SpentUp()

        async def one(retrieval: RetrievalToJudge, parts: Sequence[Part], reserved: Sequence[float]) -> None:
            verdicts = [
                await asker.ask(part, retrieval.tenant, amount) for part, amount in zip(parts, reserved, strict=True)
            ]
            done(self._verdict(retrieval, parts, verdicts))
            room.release()
            settled.set()

        async with asyncio.TaskGroup() as tasks:
            for retrieval in retrievals:
                parts = parts_of(retrieval)
                reserved = await self._reserve(retrieval.tenant, self._amounts(parts, known), settled, spent_up)
                if reserved is None:
                    done(self._over_budget(retrieval, parts))
                    continue
                await room.acquire()
                tasks.create_task(one(retrieval, parts, reserved))

    def _commit(self, retrievals: Sequence[RetrievalToJudge], kept: Mapping[str, Reply]) -> None:
        """Count what kept answers have cost before any call is weighed against the limits: it is in no ledger yet."""
        for retrieval in retrievals if kept else ():
            for part in parts_of(retrieval):
                reply = kept.get(call_id(self._manner.body(part)))
                if reply is not None:
                    self.budget.commit(retrieval.tenant, self._manner.price.of(reply.tokens))

    async def _by_batch(
        self, endpoint: Endpoint, retrievals: Sequence[RetrievalToJudge], kept: Mapping[str, Reply]
    ) -> dict[str, Reply]:
        """Get first answers from batches, as far as the budget goes; empty where there are to be none.

        As among live calls, what is too dear stops all behind it: `_work` would not take an answer that got past it.
        """
        if self._batches is None:
            return {}
        bodies: dict[str, dict[str, Any]] = {}
        reserved: list[tuple[str, float, str]] = []
        spent_up = _SpentUp()
        for retrieval in retrievals:
            bodies_of = [self._manner.body(part) for part in parts_of(retrieval)]
            calls = [body for body in bodies_of if call_id(body) not in kept]
            amounts = [self._manner.at_most(body, batch=True) for body in calls]
            if spent_up.refuses(retrieval.tenant, amounts):
                continue
            limit = self.budget.reserve(retrieval.tenant, *amounts)
            if limit is not None:
                spent_up.note(limit, retrieval.tenant)
                continue
            ids = [call_id(body) for body in calls]
            reserved += [(retrieval.tenant, amount, one) for amount, one in zip(amounts, ids, strict=True)]
            bodies |= dict(zip(ids, calls, strict=True))
        run = BatchRun(endpoint.batches, self._batches, monotonic=self._monotonic, sleep=self._sleep)
        ready = await run.answers(bodies) if len(bodies) >= self._batches.from_calls else {}
        for tenant, amount, one in reserved:
            cost = self._manner.price.of(ready[one].tokens, batch=True) if one in ready else 0.0
            self.budget.settle(tenant, amount, cost)
        return ready

    async def _reserve(
        self, tenant: str, amounts: list[float], settled: asyncio.Event, spent_up: "_SpentUp"
    ) -> list[float] | None:
        """Set money aside for all of a retrieval's calls, waiting while calls under way may still give some back.

        Once a limit has stopped one retrieval it stops all behind it, so that none gets in for being short; but those
        whose answers are all there, paid for, cost nothing and are stopped by nothing.
        """
        while not spent_up.refuses(tenant, amounts):
            limit = self.budget.reserve(tenant, *amounts)
            if limit is None:
                return amounts
            if not self.budget.may_give_back(limit, tenant):
                spent_up.note(limit, tenant)
                return None
            settled.clear()
            await settled.wait()
        return None

    def _amounts(self, parts: Sequence[Part], known: Set[str]) -> list[float]:
        """Return the most that each call can still cost; what is answered is paid for already."""
        bodies = [self._manner.body(part) for part in parts]
        return [0.0 if call_id(body) in known else self._manner.at_most(body) for body in bodies]

    def _verdict(
        self, retrieval: RetrievalToJudge, parts: Sequence[Part], verdicts: Sequence[PartVerdict]
    ) -> RetrievalVerdict:
        return verdict_of(retrieval, parts, verdicts, form=self._manner.capabilities.form.value)

    def _over_budget(self, retrieval: RetrievalToJudge, parts: Sequence[Part]) -> RetrievalVerdict:
        over = PartVerdict(status=Status.OVER_BUDGET, usage=Usage())
        return self._verdict(retrieval, parts, [over] * len(parts))


class _SpentUp:
    """Whose money has run out."""

    def __init__(self) -> None:
        self._night = False
        self._tenants: set[str] = set()

    def note(self, limit: Limit, tenant: str) -> None:
        self._night = self._night or limit is Limit.NIGHT
        self._tenants.add(tenant)

    def refuses(self, tenant: str, amounts: Sequence[float]) -> bool:
        return any(amounts) and (self._night or tenant in self._tenants)


def identity_of(manner: Manner) -> JudgeIdentity:
    """Return the identity of a judge that asks in this manner."""
    asked = repr(
        (
            manner.rubric.digest,
            manner.family.name,
            manner.capabilities.form.value,
            sorted(manner.capabilities.refused),
            manner.effort if manner.family.effort else None,
            manner.output_limit,
        )
    )
    return JudgeIdentity(
        judge="openai",
        model=manner.model,
        rubric_version=manner.rubric.version,
        prompt_hash=hashlib.sha256(asked.encode()).hexdigest(),
    )
