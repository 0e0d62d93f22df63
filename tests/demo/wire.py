"""What these tests hold the generated lines against: the wire contract, version 1, in their own words."""

import json
import math
import re
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec


class Gate(msgspec.Struct, forbid_unknown_fields=True):
    decision: Literal["skip", "substantive", "follow_up", "correction", "no_need"]
    reason: str
    version: str
    combined_with: str | None = None


class Turn(msgspec.Struct, forbid_unknown_fields=True):
    turn_id: str
    turn_index: int
    message: str
    gate: Gate
    language: str
    answer: str
    latency_ms: int
    model: str


class Passage(msgspec.Struct, forbid_unknown_fields=True):
    passage_id: str
    kind: Literal["conversation", "document", "graph"]
    text: str | None
    rank: int
    score: float
    title: str
    source_id: str | None = None
    source_date: str | None = None
    channel: str | None = None


class Retrieval(msgspec.Struct, forbid_unknown_fields=True):
    retrieval_id: str
    turn_id: str
    outcome: Literal["searched", "skipped", "failed"]
    message: str
    reason: str | None = None
    searched_query: str | None = None
    resolution: Literal["as_typed", "combined", "rewritten", "keywords", "structured"] | None = None
    channels: list[str] | None = None
    k: int | None = None
    latency_ms: int | None = None
    passages: list[Passage] | None = None


class Segment(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    hash: str
    tokens: int


class ModelCall(msgspec.Struct, forbid_unknown_fields=True):
    call_id: str
    turn_id: str
    purpose: str
    provider: str
    model: str
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    latency_ms: int
    first_token_ms: int
    segments: list[Segment]


class PageView(msgspec.Struct, forbid_unknown_fields=True):
    page_id: str
    path: str


class Interaction(msgspec.Struct, forbid_unknown_fields=True):
    interaction_id: str
    kind: str
    target: str
    turn_id: str


class Conversion(msgspec.Struct, forbid_unknown_fields=True):
    conversion_id: str
    kind: str
    value: float
    currency: str


class Exposure(msgspec.Struct, forbid_unknown_fields=True):
    experiment: str
    variant: str
    unit_id: str


PAYLOADS: dict[str, type[msgspec.Struct]] = {
    "turn": Turn,
    "retrieval": Retrieval,
    "model_call": ModelCall,
    "page_view": PageView,
    "interaction": Interaction,
    "conversion": Conversion,
    "exposure": Exposure,
}

_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")


def decode(line: bytes) -> dict[str, Any]:
    """Return a sound event; raises ValueError, KeyError or AssertionError on anything else."""
    event: dict[str, Any] = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    assert str(UUID(event["event_id"])) == event["event_id"]
    assert type(event["schema_version"]) is int
    assert _HOST.fullmatch(event["tenant"])
    assert event["environment"]
    assert datetime.fromisoformat(event["occurred_at"]).utcoffset() is not None
    if "sent_at" in event:
        assert datetime.fromisoformat(event["sent_at"]) >= datetime.fromisoformat(event["occurred_at"])
    assert event["sequence"] >= 0
    assert event["producer_id"]
    assert event["conversation_id"]
    payload = msgspec.convert(event["payload"], PAYLOADS[event["event_type"]], strict=True)
    if isinstance(payload, Retrieval):
        _check_retrieval(payload)
    return event


def _check_retrieval(retrieval: Retrieval) -> None:
    if retrieval.outcome == "searched":
        assert retrieval.searched_query is not None
        assert retrieval.passages is not None
        assert [passage.rank for passage in retrieval.passages] == list(range(1, len(retrieval.passages) + 1))
        assert len({passage.passage_id for passage in retrieval.passages}) == len(retrieval.passages)
        assert all(math.isfinite(passage.score) for passage in retrieval.passages)
    else:
        assert retrieval.reason
        assert retrieval.passages is None


def _refuse(constant: str) -> None:
    msg = f"{constant} is no JSON"
    raise ValueError(msg)
