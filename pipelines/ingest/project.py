"""Events to the rows of the canonical projections, as Arrow columns; pure.

One function per event type says what its rows are. The columns are named as in the tables' contracts; `place` is the
event's place in the batch, by which the warehouse keeps the rows of those events alone that are new.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, assert_never
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from schemas.events import (
    REDACTED,
    Conversion,
    Event,
    Exposure,
    Interaction,
    ModelCall,
    PageView,
    Passage,
    Retrieval,
    Turn,
)

#: a client's clock is corrected when it is off by more than this; less than a slow network, and the cure adds noise
CLEARLY_OFF = timedelta(minutes=5)

Place = tuple[int, Event]
_INSTANT = pa.timestamp("us", tz="UTC")
_ENVELOPE = [
    pa.field("place", pa.int32()),
    pa.field("day", pa.date32()),
    pa.field("tenant", pa.string()),
    pa.field("environment", pa.string()),
    pa.field("event_id", pa.string()),
    pa.field("occurred_at", _INSTANT),
    pa.field("conversation_id", pa.string()),
    pa.field("visitor_id", pa.string()),
]
_NAMES = attrgetter("tenant", "environment", "event_id", "conversation_id", "visitor_id")
_RANK = attrgetter("rank")
_QUARTER = 15 * 60 * 1_000_000
_DAY = 24 * 3600 * 1_000_000
_S, _I, _F = pa.string(), pa.int32(), pa.float64()
_PIN = pa.struct([("item_id", _S), ("item_type", _S), ("text", _S), ("at", _INSTANT)])
_SEGMENT = pa.struct([("name", _S), ("hash", _S), ("tokens", _I)])


def true_instant(event: Event) -> datetime:
    """Return when the event happened: the client's time, corrected by the collector's where it was clearly off."""
    if event.sent_at is not None and event.received_at is not None:
        skew = event.received_at - event.sent_at
        if abs(skew) > CLEARLY_OFF:
            return event.occurred_at + skew
    return event.occurred_at


def project(events: Sequence[Event], time_zone: str) -> dict[str, pa.Table]:
    """Return the rows of every projection that the events have rows in, by the projection's name."""
    zone = ZoneInfo(time_zone)
    by_type: dict[type[Event], list[Place]] = {}
    for place, event in enumerate(events):
        by_type.setdefault(type(event), []).append((place, event))
    tables: dict[str, pa.Table] = {}
    for places in by_type.values():
        tables |= _rows_of(places, zone)
    return tables


def _rows_of(places: list[Place], zone: ZoneInfo) -> dict[str, pa.Table]:
    sample = places[0][1]
    payloads: list[Any] = [event.payload for _, event in places]
    match sample:
        case Turn():
            return {"turns": _table(places, zone, _turns(payloads))}
        case Retrieval():
            envelope = _envelope(places, zone)
            rows = {"retrievals": _joined(envelope, _retrievals(payloads))}
            return rows | _passages(envelope, payloads)
        case ModelCall():
            return {"model_calls": _table(places, zone, _model_calls(payloads))}
        case PageView():
            return {"page_views": _table(places, zone, _fields(payloads, page_id=_S, path=_S, referrer=_S))}
        case Interaction():
            columns = _fields(payloads, interaction_id=_S, kind=_S, target=_S, turn_id=_S)
            return {"interactions": _table(places, zone, columns)}
        case Conversion():
            columns = _fields(payloads, conversion_id=_S, kind=_S, value=_F, currency=_S)
            return {"conversions": _table(places, zone, columns)}
        case Exposure():
            return {"exposures": _table(places, zone, _fields(payloads, experiment=_S, variant=_S, unit_id=_S))}
        case _:
            assert_never(sample)


Columns = dict[str, tuple[pa.DataType, Sequence[Any] | pa.Array]]


def _fields(payloads: list[Any], **types: pa.DataType) -> Columns:
    if not payloads:
        return {name: (kind, ()) for name, kind in types.items()}
    # one call for all fields of a payload, and the columns come apart in C: this is where the time goes
    columns = zip(*map(attrgetter(*types), payloads), strict=True)
    return {name: (kind, column) for (name, kind), column in zip(types.items(), columns, strict=True)}


def _turns(payloads: list[Any]) -> Columns:
    gates = [payload.gate for payload in payloads]
    return _fields(payloads, turn_id=_S, turn_index=_I, message=_S, language=_S, answer=_S, latency_ms=_F, model=_S) | {
        "gate_decision": (_S, [None if gate is None else gate.decision for gate in gates]),
        "gate_reason": (_S, [None if gate is None else gate.reason for gate in gates]),
        "gate_version": (_S, [None if gate is None else gate.version for gate in gates]),
        "combined_with": (_S, [None if gate is None else gate.combined_with for gate in gates]),
    }


def _retrievals(payloads: list[Any]) -> Columns:
    words = pa.list_(_S)
    plain = _fields(
        payloads,
        retrieval_id=_S,
        turn_id=_S,
        outcome=_S,
        reason=_S,
        message=_S,
        searched_query=_S,
        resolution=_S,
        k=_I,
        latency_ms=_F,
        channels=words,
    )
    keywords = [payload.keywords for payload in payloads]
    windows = [payload.window for payload in payloads]
    return plain | {
        "keywords_high": (words, [None if each is None else each.high_level for each in keywords]),
        "keywords_low": (words, [None if each is None else each.low_level for each in keywords]),
        "window_start": (_INSTANT, [None if window is None else window.start for window in windows]),
        "window_end": (_INSTANT, [None if window is None else window.end for window in windows]),
        "pins": (pa.list_(_PIN), [[_as_dict(pin, _PIN) for pin in payload.pins] for payload in payloads]),
        "passage_count": (
            _I,
            [None if payload.passages is None else len(payload.passages) for payload in payloads],
        ),
    }


def _passages(envelope: list[pa.Array], payloads: list[Any]) -> dict[str, pa.Table]:
    """Return the passages of retrievals in the order of their ranks (ties as they were sent), numbered from 1."""
    owners: list[int] = []
    ordinals: list[int] = []
    passages: list[Passage] = []
    for owner, payload in enumerate(payloads):
        if payload.passages:
            passages += sorted(payload.passages, key=_RANK)
            owners += [owner] * len(payload.passages)
            ordinals += range(1, len(payload.passages) + 1)
    if not owners:
        return {}
    columns = _fields(
        passages, passage_id=_S, kind=_S, text=_S, rank=_I, score=_F, title=_S, source_id=_S, source_date=_S, channel=_S
    )
    # what a passage shares with its retrieval is made once and repeated in C
    repeated = pa.array(owners, pa.int32())
    searches = pa.array([payload.retrieval_id for payload in payloads], _S).take(repeated)
    texts = [None if text == REDACTED else text for text in columns["text"][1]]
    own: Columns = {"retrieval_id": (_S, searches), "ordinal": (_I, ordinals), "text": (_S, texts)}
    return {"passages": _joined([each.take(repeated) for each in envelope], columns | own)}


def _model_calls(payloads: list[Any]) -> Columns:
    columns = _fields(
        payloads,
        call_id=_S,
        turn_id=_S,
        purpose=_S,
        provider=_S,
        model=_S,
        prompt_tokens=_I,
        cached_tokens=_I,
        completion_tokens=_I,
        latency_ms=_F,
        first_token_ms=_F,
    )
    segments = [[_as_dict(segment, _SEGMENT) for segment in payload.segments] for payload in payloads]
    return columns | {"segments": (pa.list_(_SEGMENT), segments)}


def _as_dict(value: Any, shape: pa.StructType) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in shape}


def _table(places: Sequence[Place], zone: ZoneInfo, columns: Columns) -> pa.Table:
    return _joined(_envelope(places, zone), columns)


def _envelope(places: Sequence[Place], zone: ZoneInfo) -> list[pa.Array]:
    numbers, events = zip(*places, strict=True)
    instants = pa.array([true_instant(event) for event in events], _INSTANT)
    tenants, environments, ids, conversations, visitors = (
        pa.array(values, _S) for values in zip(*map(_NAMES, events), strict=True)
    )
    places_of = pa.array(numbers, pa.int32())
    return [places_of, _days(instants, zone), tenants, environments, ids, instants, conversations, visitors]


def _joined(envelope: list[pa.Array], columns: Columns) -> pa.Table:
    arrays = envelope + [
        values if isinstance(values, pa.Array) else pa.array(values, type=kind) for kind, values in columns.values()
    ]
    schema = pa.schema([*_ENVELOPE, *(pa.field(name, kind) for name, (kind, _) in columns.items())])
    return pa.Table.from_arrays(arrays, schema=schema)


def _days(instants: pa.Array, zone: ZoneInfo) -> pa.Array:
    """Return the dates of instants in a zone; offsets change at quarters of an hour, so one look each is enough."""
    microseconds = instants.cast(pa.int64()).to_numpy()
    quarters, which = np.unique(microseconds // _QUARTER, return_inverse=True)
    shifts = np.array([_offset(int(quarter), zone) for quarter in quarters], dtype=np.int64)
    days = (microseconds + shifts[which]) // _DAY
    return pa.array(days.astype(np.int32), pa.int32()).cast(pa.date32())


@lru_cache(maxsize=100_000)
def _offset(quarter: int, zone: ZoneInfo) -> int:
    """Return by how many microseconds a zone is ahead of UTC in a quarter of an hour, counted from 1970."""
    offset = datetime.fromtimestamp(quarter * _QUARTER / 1e6, zone).utcoffset()
    return 0 if offset is None else offset // timedelta(microseconds=1)
