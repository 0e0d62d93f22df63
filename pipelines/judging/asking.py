"""Asks an endpoint about one part of a retrieval until there is an answer or a status: the only layer that retries.

Two things are tried again: a call that the endpoint could not take (up to `TRIES` times, waiting longer each time, and
as long as the endpoint asks), and, once, an answer that is no verdict. Every call is paid for out of a reservation.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from pipelines.errors import NightcheckError
from pipelines.judging.answer import Malformed, read_answer, unfounded
from pipelines.judging.batch import Desk, call_id, was_paid_for
from pipelines.judging.budget import Budget, Price
from pipelines.judging.capabilities import Capabilities, request_body
from pipelines.judging.families import Family
from pipelines.judging.pace import Pace
from pipelines.judging.parts import Part, PartVerdict, total
from pipelines.judging.rubric import Rubric
from pipelines.judging.verdict import Status, Usage
from schemas.chat import Outcome, Reply, Tokens

TRIES = 6
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0
#: an endpoint that asks to wait longer than this is given up for the night
PATIENCE = 300.0

_STATUS = {
    Outcome.TRUNCATED: Status.TRUNCATED,
    Outcome.REFUSED: Status.REFUSED,
    Outcome.RATE_LIMITED: Status.RATE_LIMITED,
    Outcome.UNAVAILABLE: Status.UNAVAILABLE,
    Outcome.REJECTED: Status.UNAVAILABLE,
    Outcome.MISCONFIGURED: Status.UNAVAILABLE,
}
_WORTH_TRYING_AGAIN = frozenset({Outcome.RATE_LIMITED, Outcome.UNAVAILABLE})


class Endpoint(Protocol):
    """Takes the body of a chat completion and always returns how it ended; takes batches of them, perhaps."""

    @property
    def batches(self) -> Desk:
        """Return where batches are handed in."""
        ...

    async def ask(self, body: Mapping[str, Any]) -> Reply:
        """Make one call."""
        ...


class Answers(Protocol):
    """Where answers wait until their verdicts are stored, so that a run that is killed pays for them once."""

    def begin(self) -> None:
        """Begin to keep answers, beside those that are kept."""
        ...

    def kept(self) -> dict[str, Reply]:
        """Return what is kept, by the ids of the calls."""
        ...

    def keep(self, call_id: str, reply: Reply) -> None:
        """Keep an answer."""
        ...

    def clear(self) -> None:
        """Forget all of them: their verdicts are stored."""
        ...


class EndpointRefusesError(NightcheckError):
    """The endpoint will take no call at all: its address, the key, the model or the account is wrong."""

    def __init__(self, detail: str | None) -> None:
        super().__init__(
            "the judge's endpoint",
            f"it takes no call ({detail})",
            "Check NIGHTCHECK_JUDGE_BASE_URL, NIGHTCHECK_JUDGE_MODEL, OPENAI_API_KEY and the account; "
            "`nightcheck judge probe` makes one call",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How an endpoint is asked; the same for every call of a night."""

    model: str
    family: Family
    capabilities: Capabilities
    rubric: Rubric
    effort: str
    output_limit: int
    price: Price

    def body(self, part: Part, correction: str | None = None) -> dict[str, Any]:
        """Return the body of a call about one part."""
        return request_body(
            rubric=self.rubric,
            document=part.laid.document,
            model=self.model,
            family=self.family,
            capabilities=self.capabilities,
            effort=self.effort,
            output_limit=self.output_limit,
            correction=correction,
        )

    def at_most(self, body: Mapping[str, Any], *, batch: bool = False) -> float:
        """Return the most that a call can cost: no token is shorter than a byte."""
        return self.price.at_most(_size(body), self.output_limit, batch=batch)


class Asker:
    """Asks about one part after the other; remembers only what answers cost on average and whether any call worked."""

    def __init__(
        self,
        *,
        endpoint: Endpoint,
        manner: Manner,
        pace: Pace,
        budget: Budget,
        rng: np.random.Generator,
        sleep: Callable[[float], Awaitable[None]],
        ready: Mapping[str, Reply],
        answers: Answers | None = None,
        kept: Mapping[str, Reply] = MappingProxyType({}),
    ) -> None:
        """Take everything that varies.

        `ready` holds first answers that came in batches, by the ids of their calls, and `kept` what an earlier run was
        answered and did not come to store; what is answered now goes to `answers`.
        """
        self._endpoint = endpoint
        self._manner = manner
        self._pace = pace
        self._budget = budget
        self._rng = rng
        self._sleep = sleep
        self._ready = ready
        self._answers = answers
        self._kept = kept
        self._usual_answer = 300.0
        self._worked = False
        self._gave_up = False

    async def ask(self, part: Part, tenant: str, reserved: float) -> PartVerdict:
        """Ask about one part. `reserved` is set aside for the first call already, and is settled here.

        Raises:
            EndpointRefusesError: the endpoint takes no call, and has taken none before.
        """
        body = self._manner.body(part)
        ready = self._ready.get(call_id(body))
        if ready is None:
            first = self._read(part, await self._paid_once(body, tenant, reserved))
        else:
            self._budget.settle(tenant, reserved, 0.0)
            first = self._read(part, ready, batch=True)
        if first.status is not Status.MALFORMED and not first.unfounded:
            return first
        body = self._manner.body(part, correction=_correction(first))
        again = self._manner.at_most(body)
        if self._budget.reserve(tenant, again) is not None:
            return PartVerdict(status=Status.OVER_BUDGET, usage=first.usage, model=first.model, detail=first.detail)
        second = self._read(part, await self._paid_once(body, tenant, again))
        return PartVerdict(
            status=second.status,
            usage=total([first.usage, second.usage]),
            answer=second.answer,
            unfounded=second.unfounded,
            model=second.model or first.model,
            fingerprint=second.fingerprint,
            detail=second.detail or "second try",
        )

    def _read(self, part: Part, reply: Reply, *, batch: bool = False) -> PartVerdict:
        cost = self._manner.price.of(reply.tokens, batch=batch)
        return read_reply(part, reply, cost=cost, note="in a batch" if batch else None)

    async def _paid_once(self, body: Mapping[str, Any], tenant: str, reserved: float) -> Reply:
        """Make a call, unless an earlier run was answered the very same and was killed before that was stored."""
        one = call_id(body)
        reply = self._kept.get(one)
        if reply is not None:
            cost = self._manner.price.of(reply.tokens)
            # for a first answer that is kept nothing was reserved: its cost was committed when the run began
            self._budget.settle(tenant, reserved or cost, cost)
            return reply
        reply = await self._call(body, tenant, reserved)
        if self._answers is not None and was_paid_for(reply):
            self._answers.keep(one, reply)
        return reply

    async def _call(self, body: Mapping[str, Any], tenant: str, reserved: float) -> Reply:
        cost = 0.0
        try:
            for attempt in range(TRIES):
                async with self._pace.call(_size(body) / 4 + self._usual_answer) as call:
                    reply = await self._endpoint.ask(body)
                    if reply.outcome is Outcome.RATE_LIMITED:
                        call.was_too_much()
                    elif reply.outcome is not Outcome.UNAVAILABLE:
                        call.went_well(reply.tokens.prompt + reply.tokens.completion)
                cost += self._manner.price.of(reply.tokens)
                wait = self._wait(attempt, reply)
                if wait is None:
                    break
                await self._sleep(wait)
        finally:
            self._budget.settle(tenant, reserved, cost)
        if reply.outcome is Outcome.ANSWERED:
            self._worked = True
            self._usual_answer += 0.1 * (reply.tokens.completion - self._usual_answer)
        elif reply.outcome is Outcome.UNAVAILABLE:
            self._gave_up = not self._worked
        elif reply.outcome is Outcome.MISCONFIGURED and not self._worked:
            raise EndpointRefusesError(reply.detail)
        return reply

    def _wait(self, attempt: int, reply: Reply) -> float | None:
        """Return how long to wait before the next try, or None for no other try.

        Where nothing was ever answered and one call was given up, each call behind it has one try: a night whose
        endpoint is not there ends in seconds, with its statuses, instead of waiting for each of its calls.
        """
        if reply.outcome not in _WORTH_TRYING_AGAIN or attempt == TRIES - 1:
            return None
        if reply.outcome is Outcome.UNAVAILABLE and self._gave_up and not self._worked:
            return None
        longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0**attempt)
        jittered = float(self._rng.uniform(longest / 2, longest))
        if reply.retry_after is None:
            return jittered
        return None if reply.retry_after > PATIENCE else reply.retry_after + jittered / 10


def read_reply(part: Part, reply: Reply, *, cost: float = 0.0, note: str | None = None) -> PartVerdict:
    """Turn the end of one call into a verdict on a part. No status ever becomes a grade."""
    usage = _usage(reply.tokens, cost)
    if reply.outcome is not Outcome.ANSWERED:
        return PartVerdict(status=_STATUS[reply.outcome], usage=usage, model=reply.model, detail=reply.detail)
    answer = read_answer(reply.text, list(part.laid.passages))
    if isinstance(answer, Malformed):
        return PartVerdict(status=Status.MALFORMED, usage=usage, model=reply.model, detail=answer.reason)
    missing = unfounded(answer, part.laid.shown)
    detail = f"no evidence in the text of {len(missing)} graded useful" if missing else note
    return PartVerdict(
        status=Status.JUDGED,
        usage=usage,
        answer=answer,
        unfounded=missing,
        model=reply.model,
        fingerprint=reply.fingerprint,
        detail=detail,
    )


def _correction(first: PartVerdict) -> str:
    if first.unfounded:
        listed = ", ".join(sorted(first.unfounded))
        reason = f"the evidence for {listed} is not in that passage's own text, letter for letter"
    else:
        reason = first.detail or "it did not have the required form"
    return f"An earlier answer could not be used: {reason}. Answer again, in the required form."


def _usage(tokens: Tokens, cost: float) -> Usage:
    return Usage(
        calls=1,
        prompt_tokens=tokens.prompt,
        cached_tokens=tokens.cached,
        cache_write_tokens=tokens.cache_write,
        completion_tokens=tokens.completion,
        cost=cost,
    )


def _size(body: Mapping[str, Any]) -> int:
    return len(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
