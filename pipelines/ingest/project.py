"""Events to the rows of the canonical projections, as Arrow columns; pure.

One function per event type says what its rows are. The columns are named as in the tables' contracts; `place` is the
event's place in the batch, by which the warehouse keeps the rows of those events alone that are new.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, assert_never
from zoneinfo import ZoneInfo

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


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    """Return the date of an instant in a time zone."""
    return instant.astimezone(zone).date()


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
            owners, passages = _owners_and_passages(places)
            rows = {"retrievals": _table(places, zone, _retrievals(payloads))}
            return rows | ({"passages": _table(owners, zone, _passages(owners, passages))} if owners else {})
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


Columns = dict[str, tuple[pa.DataType, list[Any]]]


def _fields(payloads: list[Any], **types: pa.DataType) -> Columns:
    return {name: (kind, [getattr(payload, name) for payload in payloads]) for name, kind in types.items()}


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


def _owners_and_passages(places: list[Place]) -> tuple[list[Place], list[tuple[int, Passage]]]:
    """Return, for every passage, its retrieval and its ordinal by rank (ties in the order in which they were sent)."""
    owners: list[Place] = []
    passages: list[tuple[int, Passage]] = []
    for place in places:
        retrieval = place[1]
        assert isinstance(retrieval, Retrieval)  # noqa: S101 - places are grouped by type
        found = retrieval.payload.passages
        if found:
            ranked = sorted(found, key=lambda passage: passage.rank)
            owners.extend([place] * len(ranked))
            passages.extend(enumerate(ranked, start=1))
    return owners, passages


def _passages(owners: list[Place], passages: list[tuple[int, Passage]]) -> Columns:
    bare = [passage for _, passage in passages]
    columns = _fields(
        bare, passage_id=_S, kind=_S, rank=_I, score=_F, title=_S, source_id=_S, source_date=_S, channel=_S
    )
    texts = [None if passage.text == REDACTED else passage.text for passage in bare]
    return {
        **columns,
        "retrieval_id": (_S, [event.payload.retrieval_id for _, event in owners]),  # type: ignore[union-attr]
        "ordinal": (_I, [ordinal for ordinal, _ in passages]),
        "text": (_S, texts),
    }


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


def _table(places: Iterable[Place], zone: ZoneInfo, columns: Columns) -> pa.Table:
    numbers, events = zip(*places, strict=True)
    instants = [true_instant(event) for event in events]
    envelope: list[Any] = [
        numbers,
        [local_day(instant, zone) for instant in instants],
        [event.tenant for event in events],
        [event.environment for event in events],
        [event.event_id for event in events],
        instants,
        [event.conversation_id for event in events],
        [event.visitor_id for event in events],
    ]
    arrays = [pa.array(values, type=field.type) for field, values in zip(_ENVELOPE, envelope, strict=True)]
    arrays += [pa.array(values, type=kind) for kind, values in columns.values()]
    schema = pa.schema([*_ENVELOPE, *(pa.field(name, kind) for name, (kind, _) in columns.items())])
    return pa.Table.from_arrays(arrays, schema=schema)
