"""Bytes to an event, or to the reason why they are none. One parse, by one parser; pure.

A record is rejected, never repaired: strict UTF-8, no NaN or infinity, bounded size and depth, every field of
`contract.md` by its type and range. Unknown fields are allowed: they stay in the raw log.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

import msgspec

from pipelines.tenants.name import InvalidTenantName, normalise
from schemas.events import Event, Retrieval, Turn


class Reason(StrEnum):
    """Why a record is no event. Stored with the record, so a code is never renamed."""

    NOT_UTF8 = "not_utf8"
    SYNTAX = "syntax"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    NOT_AN_OBJECT = "not_an_object"
    UNKNOWN_EVENT_TYPE = "unknown_event_type"
    MISSING_FIELD = "missing_field"
    WRONG_TYPE = "wrong_type"
    OUT_OF_RANGE = "out_of_range"
    INCONSISTENT = "inconsistent"
    INVALID_TENANT = "invalid_tenant"
    UNSUPPORTED_VERSION = "unsupported_version"
    #: the collector's: the event names a tenant that is not the write key's
    FOREIGN_TENANT = "foreign_tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """Why a record is no event: a code, the JSON path where it shows, and words for a person."""

    reason: Reason
    path: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large and how deep a record may be."""

    max_bytes: int = 4 * 1024 * 1024
    max_depth: int = 64


DEFAULT_LIMITS = Limits()
#: what stands for "all of them together" in the keys of marts, so that no client may use it as a name
ALL = "*"
#: client clocks before or after these are broken beyond a correction; they also keep every sum of times representable
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
#: local years that are within the two in every time zone
_FIRST_SURE_YEAR, _LAST_SURE_YEAR = 2001, 2199

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_digest_encoder = msgspec.json.Encoder()
_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


def decode(raw: bytes, limits: Limits = DEFAULT_LIMITS) -> Event | Rejection:
    """Return the event in `raw`, its tenant and id normalised, or the first reason found why it is none."""
    if len(raw) > limits.max_bytes:
        return _reject(Reason.TOO_LARGE, f"{len(raw)} bytes, at most {limits.max_bytes}")
    if raw.count(b"[") + raw.count(b"{") > limits.max_depth and depth_of(raw) > limits.max_depth:
        return _reject(Reason.TOO_DEEP, f"nested deeper than {limits.max_depth}")
    try:
        # msgspec decodes the text of known fields only; this is the whole record's check
        str(raw, "utf-8")
        return _normalise(_decoder.decode(raw))
    except UnicodeDecodeError as error:
        return _reject(Reason.NOT_UTF8, f"byte {error.start} is not UTF-8")
    except msgspec.ValidationError as error:
        return _explain(raw, str(error))
    except msgspec.DecodeError as error:
        return _reject(Reason.SYNTAX, str(error))
    except RecursionError:
        return _reject(Reason.TOO_DEEP, "nested deeper than the decoder goes")


def depth_of(raw: bytes) -> int:
    """Return how deep arrays and objects nest in `raw`, which need not be well-formed."""
    depth = deepest = 0
    for token in _STRUCTURE.finditer(raw):
        first = token.group()[0]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"]}":
            depth -= 1
    return deepest


def content_digest(event: Event) -> bytes:
    """Return 16 bytes that are equal for two deliveries of one event.

    They cover every field of the contract but `sent_at` and `received_at`, which differ when an event is sent again.
    """
    content = (
        event.event_id,
        event.tenant,
        event.environment,
        event.occurred_at.astimezone(UTC),
        event.producer_id,
        event.sequence,
        event.conversation_id,
        event.visitor_id,
        event.payload,
    )
    return hashlib.blake2b(_digest_encoder.encode(content), digest_size=16).digest()


def _normalise(event: Event) -> Event | Rejection:
    # the year first: comparing instants of two zones costs ten times as much
    for instant in (event.occurred_at, event.sent_at, event.received_at):
        if instant is not None and not _FIRST_SURE_YEAR <= instant.year < _LAST_SURE_YEAR:
            return _check_times(event) or _normalise_names(event)
    return _normalise_names(event)


def _normalise_names(event: Event) -> Event | Rejection:
    if ALL in _names(event):
        return _reject_all(event)
    tenant = _tenant(event.tenant)
    if isinstance(tenant, InvalidTenantName):
        return Rejection(reason=Reason.INVALID_TENANT, path="$.tenant", message=tenant.reason)
    event_id = event.event_id.lower()
    if tenant != event.tenant or event_id != event.event_id:
        return msgspec.structs.replace(event, tenant=tenant, event_id=event_id)
    return event


def _check_times(event: Event) -> Rejection | None:
    for name in ("occurred_at", "sent_at", "received_at"):
        instant: datetime | None = getattr(event, name)
        if instant is not None and not _EARLIEST <= instant < _LATEST:
            return Rejection(reason=Reason.OUT_OF_RANGE, path=f"$.{name}", message=f"{instant.isoformat()} is no time")
    return None


def _names(event: Event) -> tuple[str | None, ...]:
    """Return the client's words that become keys of marts: environment, producer, and by type a reason."""
    if isinstance(event, Turn) and event.payload.gate is not None:
        return event.environment, event.producer_id, event.payload.gate.reason
    if isinstance(event, Retrieval):
        return event.environment, event.producer_id, event.payload.reason
    return event.environment, event.producer_id


def _reject_all(event: Event) -> Rejection:
    reason = "$.payload.gate.reason" if isinstance(event, Turn) else "$.payload.reason"
    path = ("$.environment", "$.producer_id", reason)[_names(event).index(ALL)]
    return Rejection(reason=Reason.OUT_OF_RANGE, path=path, message=f"`{ALL}` is no name: it stands for all")


@lru_cache(maxsize=4096)
def _tenant(name: str) -> str | InvalidTenantName:
    return normalise(name)


def _reject(reason: Reason, message: str) -> Rejection:
    return Rejection(reason=reason, path="$", message=message)


def _explain(raw: bytes, message: str) -> Rejection:
    """Turn a validation message into a rejection; broken syntax further on outweighs a wrong field before it."""
    try:
        value: Any = msgspec.json.decode(raw)
    except msgspec.ValidationError:
        value = {}  # a number beyond a double: well-formed, and the first fault stands
    except msgspec.DecodeError as error:
        return _reject(Reason.SYNTAX, str(error))
    except RecursionError:
        return _reject(Reason.TOO_DEEP, "nested deeper than the decoder goes")
    words, _, tail = message.rpartition(" - at `")
    path = tail.rstrip("`") if words else "$"
    if not isinstance(value, dict):
        return _reject(Reason.NOT_AN_OBJECT, message)
    return Rejection(reason=_reason(path, message), path=path, message=words or message)


def _reason(path: str, message: str) -> Reason:
    if path == "$.event_type":
        return Reason.UNKNOWN_EVENT_TYPE
    if path == "$.schema_version" and ("<=" in message or ">=" in message):
        return Reason.UNSUPPORTED_VERSION
    if message.startswith("Object missing required field"):
        return Reason.MISSING_FIELD
    if message.startswith("`"):
        return Reason.INCONSISTENT
    if message.startswith("Expected") and not any(sign in message for sign in ("<=", ">=", "of length", "matching")):
        return Reason.WRONG_TYPE
    return Reason.OUT_OF_RANGE
