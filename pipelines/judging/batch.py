"""Gets many calls answered by the provider's batches, without ever paying for one twice.

A batch is noted before it is handed in, under a tag that the provider keeps with it, and the note names the calls in it
by a digest of their content. So whenever a run is killed, the next one finds the batch, noted or not, and takes the
answers it still wants from it. What a batch does not answer (expired, failed, cancelled) is left to be asked live.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol, TypeVar

from schemas.chat import BatchRecord, BatchState, BatchTroubleError, Outcome, Reply

#: the provider takes 50,000 calls and 200 MB in a file (OpenAI's guide to batches); less is less to lose
MOST_CALLS = 20_000
MOST_BYTES = 100_000_000
#: the provider keeps answers for thirty days
_KEPT = timedelta(days=25)
_FIRST_WAIT, _LONGEST_WAIT = 15.0, 300.0
#: how long a cancelled batch may take to come to rest
_REST = 900.0
_TRIES = 5

T = TypeVar("T")


class Desk(Protocol):
    """Where batches are handed in. Each method raises `BatchTroubleError` where the endpoint will not."""

    async def exists(self) -> bool:
        """Say whether the endpoint has batches at all."""
        ...

    async def submit(self, lines: bytes, tag: str) -> str:
        """Hand a batch in and return its id."""
        ...

    async def find(self, tag: str) -> str | None:
        """Return the id of the batch with a tag."""
        ...

    async def state(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        ...

    async def cancel(self, batch_id: str) -> None:
        """Stop a batch."""
        ...

    async def replies(self, state: BatchState) -> dict[str, Reply]:
        """Return what was answered, by call id."""
        ...


class Journal(Protocol):
    """Where batches are noted, durably."""

    def records(self) -> list[BatchRecord]:
        """Return what is noted."""
        ...

    def write(self, record: BatchRecord) -> None:
        """Note a batch, or what is newly known of it."""
        ...

    def remove(self, tag: str) -> None:
        """Forget a batch."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Batches:
    """What batches need from the outside, and when they are worth it."""

    journal: Journal
    now: Callable[[], datetime]
    #: seconds after which the rest is asked live
    patience: float
    #: fewer calls than this are asked live
    from_calls: int = 1
    on_progress: Callable[[int, int], None] = lambda _completed, _total: None


def call_id(body: Mapping[str, Any]) -> str:
    """Return the id of a call, the same for the same content."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:48]


class BatchRun:
    """One night's calls on their way through batches."""

    def __init__(
        self,
        desk: Desk,
        batches: Batches,
        *,
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._desk = desk
        self._batches = batches
        self._journal = batches.journal
        self._monotonic = monotonic
        self._sleep = sleep

    async def answers(self, bodies: Mapping[str, Mapping[str, Any]]) -> dict[str, Reply]:
        """Return the answers to calls by their ids; a call without one is left to be asked live. Takes hours."""
        try:
            records = await self._adopted(set(bodies))
        except BatchTroubleError:
            # The notes stay, for a later run to find their batches by.
            return {}
        covered = {one for record in records for one in record.call_ids}
        for part in _parts({one: body for one, body in bodies.items() if one not in covered}):
            record = await self._hand_in(part)
            if record is None:
                break
            records.append(record)
        return await self._collect(records, set(bodies))

    async def _adopted(self, wanted: set[str]) -> list[BatchRecord]:
        """Return the noted batches that hold a wanted call, each with its id."""
        found = []
        for record in self._journal.records():
            if self._batches.now() - datetime.fromisoformat(record.submitted_at) > _KEPT:
                self._journal.remove(record.tag)
            elif wanted.intersection(record.call_ids):
                batch_id = record.batch_id or await self._desk.find(record.tag)
                if batch_id is None:
                    self._journal.remove(record.tag)
                    continue
                known = replace(record, batch_id=batch_id)
                self._journal.write(known)
                found.append(known)
        return found

    async def _hand_in(self, calls: Mapping[str, bytes]) -> BatchRecord | None:
        """Note a batch and hand it in; None where the endpoint did not take it."""
        now = self._batches.now().isoformat()
        tag = hashlib.sha256("\x1f".join([now, *calls]).encode()).hexdigest()[:48]
        record = BatchRecord(tag=tag, call_ids=tuple(calls), submitted_at=now)
        self._journal.write(record)
        try:
            batch_id: str | None = await self._desk.submit(b"".join(calls.values()), tag)
        except BatchTroubleError:
            # The batch may be there all the same, and only the answer that said so was lost.
            batch_id = await self._patiently(lambda: self._desk.find(tag))
        if batch_id is None:
            self._journal.remove(tag)
            return None
        known = replace(record, batch_id=batch_id)
        self._journal.write(known)
        return known

    async def _collect(self, records: list[BatchRecord], wanted: set[str]) -> dict[str, Reply]:
        until = self._monotonic() + self._batches.patience
        answers: dict[str, Reply] = {}
        for record in records:
            state = await self._rested(record.batch_id or "", until)
            if state is None or not state.over:
                continue
            replies = await self._patiently(partial(self._desk.replies, state)) or {}
            if not state.files:
                self._journal.remove(record.tag)
            answers |= {one: reply for one, reply in replies.items() if one in wanted and was_paid_for(reply)}
        return answers

    async def _rested(self, batch_id: str, until: float) -> BatchState | None:
        """Wait until a batch is over; when time is up cancel it, so that what is asked live is not paid here too."""
        wait = _FIRST_WAIT
        cancelled = False
        while True:
            state = await self._patiently(lambda: self._desk.state(batch_id))
            if state is None:
                return None
            self._batches.on_progress(state.completed, state.total)
            if state.over or (cancelled and self._monotonic() > until + _REST):
                return state
            if not cancelled and self._monotonic() >= until:
                await self._patiently(lambda: self._desk.cancel(batch_id))
                cancelled = True
            await self._sleep(wait)
            wait = min(_LONGEST_WAIT, wait * 1.5)

    async def _patiently(self, do: Callable[[], Awaitable[T]]) -> T | None:
        """Do something, and again after a while where there is trouble; None when there is trouble every time."""
        for attempt in range(_TRIES):
            try:
                return await do()
            except BatchTroubleError:
                if attempt < _TRIES - 1:
                    await self._sleep(_FIRST_WAIT * 2.0**attempt)
        return None


def was_paid_for(reply: Reply) -> bool:
    """Say whether an answer was paid for; what failed in a batch is asked live instead."""
    return reply.outcome in {Outcome.ANSWERED, Outcome.TRUNCATED, Outcome.REFUSED}


def _parts(bodies: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, bytes]]:
    part: dict[str, bytes] = {}
    size = 0
    for one, body in bodies.items():
        request = {"custom_id": one, "method": "POST", "url": "/v1/chat/completions", "body": body}
        line = json.dumps(request).encode() + b"\n"
        if part and (len(part) >= MOST_CALLS or size + len(line) > MOST_BYTES):
            yield part
            part, size = {}, 0
        part[one] = line
        size += len(line)
    if part:
        yield part
