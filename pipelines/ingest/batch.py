"""A batch of records, decoded, as the Arrow tables that one transaction stores; pure."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec
import pyarrow as pa

from pipelines.ingest.decode import DEFAULT_LIMITS, Limits, Rejection, content_digest, decode
from pipelines.ingest.project import project
from schemas.events import Event
from schemas.sources import Stretch

_INSTANT = pa.timestamp("us", tz="UTC")
_EVENTS = pa.schema(
    [
        ("place", pa.int32()),
        ("day", pa.date32()),
        ("tenant", pa.string()),
        ("event_id", pa.string()),
        ("event_type", pa.string()),
        ("environment", pa.string()),
        ("occurred_at", _INSTANT),
        ("sent_at", _INSTANT),
        ("received_at", _INSTANT),
        ("producer_id", pa.string()),
        ("sequence", pa.int64()),
        ("conversation_id", pa.string()),
        ("visitor_id", pa.string()),
        ("digest", pa.binary()),
        ("partition", pa.string()),
        ("offset", pa.int64()),
        ("raw", pa.binary()),
    ]
)
_ENVELOPE_FIELDS = (
    "tenant",
    "event_id",
    "environment",
    "occurred_at",
    "sent_at",
    "received_at",
    "producer_id",
    "sequence",
    "conversation_id",
    "visitor_id",
)
#: one call for ten fields; the columns then come apart in C as well
_FIELDS = attrgetter(*_ENVELOPE_FIELDS)
_REJECTIONS = pa.schema(
    [
        ("place", pa.int32()),
        ("partition", pa.string()),
        ("offset", pa.int64()),
        ("reason", pa.string()),
        ("path", pa.string()),
        ("message", pa.string()),
        ("digest", pa.binary()),
        ("raw", pa.binary()),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one transaction stores. `projections` are by name; `days` says on which day each event falls."""

    consumed: int
    events: pa.Table
    rejections: pa.Table
    projections: dict[str, pa.Table]
    days: pa.Table


@dataclass(slots=True)
class _Gathered:
    events: list[Event]
    raws: list[bytes]
    partitions: list[str]
    offsets: list[int]
    rejected: list[tuple[str, int, Rejection, bytes]]


def build(stretches: Sequence[Stretch], time_zone: str, limits: Limits = DEFAULT_LIMITS) -> Batch:
    """Decode and project every record of the stretches; what is rejected stands beside, with its bytes."""
    got = _Gathered([], [], [], [], [])
    for stretch in stretches:
        for raw, offset in zip(stretch.records, stretch.offsets, strict=True):
            result = decode(raw, limits)
            if isinstance(result, Rejection):
                got.rejected.append((stretch.partition, offset, result, raw))
            else:
                got.events.append(result)
                got.raws.append(raw)
                got.partitions.append(stretch.partition)
                got.offsets.append(offset)
    projections = project(got.events, time_zone)
    return Batch(
        consumed=len(got.events) + len(got.rejected),
        events=_events(got),
        rejections=_rejections(got),
        projections=projections,
        days=pa.concat_tables(
            [table.select(["place", "day"]) for name, table in projections.items() if name != "passages"]
            or [pa.table({"place": pa.array([], pa.int32()), "day": pa.array([], pa.date32())})]
        ),
    )


def _events(got: _Gathered) -> pa.Table:
    events = got.events
    fields = zip(*map(_FIELDS, events), strict=True) if events else iter([()] * len(_ENVELOPE_FIELDS))
    columns: dict[str, Any] = dict(zip(_ENVELOPE_FIELDS, fields, strict=True))
    occurred_at = pa.array(columns["occurred_at"], _INSTANT)
    columns |= {
        "place": range(len(events)),
        "day": occurred_at.cast(pa.date32()),
        "event_type": [_tag(type(event)) for event in events],
        "occurred_at": occurred_at,
        "digest": [content_digest(event) for event in events],
        "partition": got.partitions,
        "offset": got.offsets,
        "raw": got.raws,
    }
    arrays = [_array(columns[field.name], field.type) for field in _EVENTS]
    return pa.Table.from_arrays(arrays, schema=_EVENTS)


@cache
def _tag(kind: type[Event]) -> str:
    return str(msgspec.inspect.type_info(kind).tag)  # type: ignore[attr-defined]


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    return values if isinstance(values, pa.Array) else pa.array(values, type=kind)


def _rejections(got: _Gathered) -> pa.Table:
    rows = [
        {
            "place": place,
            "partition": partition,
            "offset": offset,
            "reason": rejection.reason.value,
            "path": rejection.path,
            "message": rejection.message,
            "digest": hashlib.blake2b(raw, digest_size=16).digest(),
            "raw": raw,
        }
        for place, (partition, offset, rejection, raw) in enumerate(got.rejected)
    ]
    return pa.Table.from_pylist(rows, schema=_REJECTIONS)
