"""The library that applications use: events are handed over in microseconds and reach the collector in the background.

It needs the standard library alone, raises nothing into the application, and counts what it had to drop: the counts
are sent as soon as there is a way, as an interaction of the kind `events_dropped`, and the sequence numbers of dropped
events are left out, so that the gap is measured even where that event is lost too.

    from pipelines.collect.client import Client
    events = Client("http://127.0.0.1:8787", key="nk_…", tenant="help.example.com", environment="production")
    events.turn("c-81", turn_id="t-2", turn_index=1, message="Yes, the second one.", answer="The Team plan …")
"""

import atexit
import itertools
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines.collect.record import Envelope, freeze, new_id
from pipelines.collect.sender import Sender, Settings

_log = logging.getLogger("nightcheck.client")
#: the application's edge
_wall = time.time  # noqa: TID251


class Client:
    """Sends events of one tenant and environment. Safe to use from many threads; one per process is enough.

    `spool` is a folder that keeps what could not be sent; without it only memory does. `most_waiting` bounds the events
    in memory and `most_spooled` the bytes on the disk; beyond both, new events are dropped and counted.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str,
        tenant: str,
        environment: str,
        spool: str | Path | None = None,
        most_waiting: int = 10_000,
        most_spooled: int = 64 * 1024 * 1024,
        linger_seconds: float = 0.5,
        timeout_seconds: float = 10.0,
    ) -> None:
        self._tenant = tenant
        self._environment = environment
        self._most = most_waiting
        self._settings = Settings(
            url=url,
            key=key,
            spool=None if spool is None else Path(spool),
            most_spooled=most_spooled,
            linger_seconds=linger_seconds,
            timeout_seconds=timeout_seconds,
        )
        self._closed = False
        self._begin()
        atexit.register(self.close, 2.0)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """Start anew, in this process: a fork has neither the thread nor a right to the parent's sequence."""
        producer = f"{os.uname().nodename[:64]}-{os.getpid()}-{os.urandom(6).hex()}"
        envelope = Envelope(tenant=self._tenant, environment=self._environment, producer_id=producer)
        self._sequence = itertools.count()
        self._lock = threading.Lock()
        self._queue: deque[bytes] = deque()
        self._dropped: dict[str, int] = {}
        self._sender = Sender(self._settings, self._queue, self._take_drops, envelope)
        self._sender.start()

    def turn(
        self,
        conversation_id: str,
        *,
        turn_id: str,
        turn_index: int,
        message: str,
        answer: str | None = None,
        language: str | None = None,
        gate: Mapping[str, Any] | None = None,
        latency_ms: float | None = None,
        model: str | None = None,
        visitor_id: str | None = None,
    ) -> str:
        """Send what a visitor typed and what was answered; `gate` has decision, reason and version."""
        payload = {"turn_id": turn_id, "turn_index": turn_index, "message": message, "language": language}
        payload |= {"answer": answer, "gate": gate, "latency_ms": latency_ms, "model": model}
        return self.send("turn", payload, conversation_id=conversation_id, visitor_id=visitor_id)

    def searched(
        self,
        conversation_id: str,
        *,
        retrieval_id: str,
        turn_id: str,
        message: str,
        searched_query: str,
        passages: Sequence[Mapping[str, Any]],
        resolution: str | None = None,
        visitor_id: str | None = None,
        **more: Any,
    ) -> str:
        """Send a search that was made; a passage has passage_id, kind, text and rank; none at all is an empty search.

        `more` takes the contract's other fields: keywords, channels, k, latency_ms, window, pins.
        """
        payload: dict[str, Any] = {"retrieval_id": retrieval_id, "turn_id": turn_id, "outcome": "searched"}
        payload |= {"message": message, "searched_query": searched_query, "resolution": resolution}
        payload |= {"passages": list(passages), **more}
        return self.send("retrieval", payload, conversation_id=conversation_id, visitor_id=visitor_id)

    def not_searched(
        self,
        conversation_id: str,
        *,
        retrieval_id: str,
        turn_id: str,
        outcome: str,
        reason: str,
        message: str | None = None,
        visitor_id: str | None = None,
    ) -> str:
        """Send that a search was `skipped` or `failed`, and why."""
        payload = {"retrieval_id": retrieval_id, "turn_id": turn_id, "outcome": outcome, "reason": reason}
        return self.send(
            "retrieval", payload | {"message": message}, conversation_id=conversation_id, visitor_id=visitor_id
        )

    def model_call(
        self,
        *,
        call_id: str,
        purpose: str,
        provider: str,
        model: str,
        prompt_tokens: int,
        completion_tokens: int,
        conversation_id: str | None = None,
        visitor_id: str | None = None,
        **more: Any,
    ) -> str:
        """Send one call of a model. `more` takes turn_id, cached_tokens, latency_ms, first_token_ms, segments."""
        payload = {"call_id": call_id, "purpose": purpose, "provider": provider, "model": model, **more}
        payload |= {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
        return self.send("model_call", payload, conversation_id=conversation_id, visitor_id=visitor_id)

    def page_view(self, *, page_id: str, path: str, referrer: str | None = None, visitor_id: str | None = None) -> str:
        """Send that a page was shown."""
        return self.send("page_view", {"page_id": page_id, "path": path, "referrer": referrer}, visitor_id=visitor_id)

    def interaction(
        self,
        *,
        interaction_id: str,
        kind: str,
        target: str | None = None,
        turn_id: str | None = None,
        conversation_id: str | None = None,
        visitor_id: str | None = None,
    ) -> str:
        """Send what a visitor did: card_shown, card_clicked, question_asked, link_clicked or another kind."""
        payload = {"interaction_id": interaction_id, "kind": kind, "target": target, "turn_id": turn_id}
        return self.send("interaction", payload, conversation_id=conversation_id, visitor_id=visitor_id)

    def conversion(
        self,
        *,
        conversion_id: str,
        kind: str,
        value: float | None = None,
        currency: str | None = None,
        visitor_id: str | None = None,
    ) -> str:
        """Send that a visitor did what the tenant hoped for."""
        payload = {"conversion_id": conversion_id, "kind": kind, "value": value, "currency": currency}
        return self.send("conversion", payload, visitor_id=visitor_id)

    def exposure(self, *, experiment: str, variant: str, unit_id: str, visitor_id: str | None = None) -> str:
        """Send that a unit of an experiment saw a variant."""
        payload = {"experiment": experiment, "variant": variant, "unit_id": unit_id}
        return self.send("exposure", payload, visitor_id=visitor_id)

    def send(
        self,
        event_type: str,
        payload: Mapping[str, Any],
        *,
        conversation_id: str | None = None,
        visitor_id: str | None = None,
    ) -> str:
        """Hand an event over and return its id, minted here once; never waits and never raises."""
        event_id = new_id()
        try:
            head = (event_id, event_type, _wall(), next(self._sequence), conversation_id, visitor_id)
            frozen = freeze(head, payload)
            if self._closed:
                self._drop("closed")
            elif len(self._queue) >= self._most:
                self._drop("queue_full")
            else:
                self._queue.append(frozen)
                self._sender.notice(len(self._queue))
        except Exception as error:  # noqa: BLE001 - the promise to the application: an event never breaks it
            self._drop("not_json")
            _log.warning("an event of type %s could not be written: %s", event_type, type(error).__name__)
        return event_id

    def flush(self, seconds: float = 10.0) -> bool:
        """Wait until all that was handed over is at the collector or on the disk; False where it still is in memory."""
        return self._sender.drain(seconds)

    def close(self, seconds: float = 10.0) -> bool:
        """Flush, and take no more events; what could not be sent is on the disk where there is a spool."""
        self._closed = True
        atexit.unregister(self.close)
        emptied = self._sender.drain(seconds)
        self._sender.stop()
        return emptied

    @property
    def dropped(self) -> dict[str, int]:
        """How many events were lost, by reason, that the collector has not been told of yet."""
        with self._lock:
            return _sum(self._dropped, self._sender.lost, self._sender.reported)

    def _drop(self, reason: str, count: int = 1) -> None:
        with self._lock:
            self._dropped[reason] = self._dropped.get(reason, 0) + count

    def _take_drops(self) -> dict[str, int]:
        """Hand the counts over to the sender, which reports them."""
        with self._lock:
            taken, self._dropped = self._dropped, {}
        return taken


def _sum(*counts: Mapping[str, int]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in counts:
        for reason, count in list(each.items()):
            total[reason] = total.get(reason, 0) + count
    return total
