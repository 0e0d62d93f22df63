"""How events reach the file: numbered by producers, and lost, late, doubled, contradicted or broken now and then."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from pipelines.demo.conversations import Happening
from pipelines.demo.tenants import DemoTenant

_LOST_SHARE = 0.002
_LATE_SHARE = 0.012
_DOUBLED_SHARE = 0.006
_RESENT_SHARE = 0.004
_PRODUCERS = 2
#: days, counted from 0, on which one stored turn is sent again with another answer
_CONFLICT_DAYS = (3, 8)

_encode = msgspec.json.Encoder().encode


def _sent_later(event: dict[str, Any], delay: timedelta) -> dict[str, Any]:
    """Say of an event that it was sent later than it was."""
    sent = datetime.fromisoformat(event["sent_at"]) + delay
    return event | {"sent_at": sent.isoformat(timespec="milliseconds")}


def _drop_field(event: dict[str, Any]) -> bytes:
    """Leave out a required field."""
    return _encode({key: value for key, value in event.items() if key != "occurred_at"})


def _with_port(event: dict[str, Any]) -> bytes:
    """Name a tenant with a port, which is no host name."""
    return _encode(event | {"tenant": f"{event['tenant']}:8443"})


def _text_for_integer(event: dict[str, Any]) -> bytes:
    """Send a number as text."""
    return _encode(event | {"schema_version": "1"})


#: every way to break a record; each takes a sound turn event
POISONS: tuple[Callable[[dict[str, Any]], bytes], ...] = (
    lambda event: _encode(event)[:-40],  # cut off: no JSON
    lambda event: _encode(event).replace(b'"message":"', b'"message":"\xff\xfe', 1),  # no UTF-8
    _drop_field,
    _with_port,
    lambda event: _encode(event).replace(b'"latency_ms":', b'"latency_ms":NaN,"was":', 1),
    _text_for_integer,
    lambda _: b"-- rotated --",
)


@dataclass(slots=True, kw_only=True)
class Delivery:
    """One tenant's producers. What it holds back comes out on a later day, or from `rest`."""

    rng: Random
    tenant: DemoTenant
    counts: list[int] = field(default_factory=lambda: [0] * _PRODUCERS)
    held: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    def day(self, index: int, happenings: list[Happening]) -> Iterator[bytes]:
        """Send one day's events, then what was held back for it; lines end with a newline."""
        first_turn: dict[str, Any] | None = None
        for happening in happenings:
            event = self._event(happening)
            if self.rng.random() < _LOST_SHARE:
                continue
            if self.rng.random() < _LATE_SHARE:
                days = self.rng.randint(1, 3)
                self.held.append((index + days, _sent_later(event, timedelta(days=days))))
                continue
            if first_turn is None and happening.event_type == "turn":
                first_turn = event
            yield from self._send(event)
        if first_turn is not None:
            yield from self._trouble(index, first_turn)
        due = [event for when, event in self.held if when <= index]
        self.held = [(when, event) for when, event in self.held if when > index]
        for event in due:
            yield _encode(event) + b"\n"

    def rest(self) -> Iterator[bytes]:
        """Send what is still held back."""
        for _, event in self.held:
            yield _encode(event) + b"\n"
        self.held = []

    def _send(self, event: dict[str, Any]) -> Iterator[bytes]:
        """Send an event once, or twice: byte for byte the same, or with a later sending time."""
        yield _encode(event) + b"\n"
        chance = self.rng.random()
        if chance < _DOUBLED_SHARE:
            yield _encode(event) + b"\n"
        elif chance < _DOUBLED_SHARE + _RESENT_SHARE:
            yield _encode(_sent_later(event, timedelta(seconds=45))) + b"\n"

    def _trouble(self, index: int, turn: dict[str, Any]) -> Iterator[bytes]:
        """Break one record a day, and contradict a stored event on the days for it."""
        broken = POISONS[(index + len(self.tenant.host)) % len(POISONS)]
        yield broken(turn | {"event_id": self._id()}) + b"\n"
        if index in _CONFLICT_DAYS:
            yield _encode(turn | {"payload": turn["payload"] | {"answer": "(edited)"}}) + b"\n"

    def _event(self, happening: Happening) -> dict[str, Any]:
        """Put a happening into its envelope, with its producer's next number."""
        producer = sum(happening.conversation_id.encode()) % _PRODUCERS
        sequence = self.counts[producer]
        self.counts[producer] += 1
        sent = happening.at + timedelta(milliseconds=self.rng.randint(40, 3000))
        return {
            "event_id": self._id(),
            "event_type": happening.event_type,
            "schema_version": 1,
            "tenant": self.tenant.host,
            "environment": "production",
            "occurred_at": happening.at.isoformat(timespec="milliseconds"),
            "sent_at": sent.isoformat(timespec="milliseconds"),
            "producer_id": f"{self.tenant.host.split('.')[1]}-web-{producer}",
            "sequence": sequence,
            "conversation_id": happening.conversation_id,
            "visitor_id": happening.visitor_id,
            "payload": happening.payload,
        }

    def _id(self) -> str:
        return str(UUID(int=self.rng.getrandbits(128), version=4))
