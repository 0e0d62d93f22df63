"""Made-up traffic for the tests of the stream, reproducible from a seed."""

import json
import random
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 11, 29, 8, tzinfo=UTC)
_WORDS = [
    "plan",
    "team",
    "invoice",
    "search",
    "export",
    "seat",
    "region",
    "audit",
    "token",
    "limit",
    "price",
    "upgrade",
    "refund",
    "window",
    "answer",
    "note",
]


def text(rng: random.Random, words: int) -> str:
    """Return a made-up sentence."""
    return " ".join(rng.choice(_WORDS) for _ in range(words))


def event(number: int, seed: int = 1, **changes: Any) -> dict[str, Any]:
    """Return event `number` of a seed's traffic: turns, retrievals and model calls of three tenants over three days."""
    rng = random.Random(f"{seed}-{number}")
    kind = ("turn", "retrieval", "model_call", "turn")[number % 4]
    made: dict[str, Any] = {
        "event_id": str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        "event_type": kind,
        "schema_version": 1,
        "tenant": f"{'abc'[number % 3]}.example.com",
        "environment": "production",
        "occurred_at": (START + timedelta(seconds=37 * (number % 5000))).isoformat(),
        "producer_id": f"p-{number % 2}",
        "sequence": number // 2,
        "conversation_id": f"c-{number // 5}",
        "payload": _payload(kind, number, rng),
    }
    return made | changes


def _payload(kind: str, number: int, rng: random.Random) -> dict[str, Any]:
    if kind == "turn":
        return {"turn_id": f"t-{number}", "turn_index": number % 5, "message": text(rng, 8), "answer": text(rng, 12)}
    if kind == "model_call":
        names = {"call_id": f"m-{number}", "purpose": "answer", "provider": "acme", "model": "m-1"}
        return names | {"prompt_tokens": number, "completion_tokens": 7}
    passages = [
        {
            "passage_id": f"d-{number}-{each}",
            "kind": "document",
            "text": text(rng, 20),
            "rank": each,
            "score": 1.5 / each,
        }
        for each in range(1, 1 + number % 4)
    ]
    searched = {"outcome": "searched", "searched_query": text(rng, 6), "passages": passages}
    return {"retrieval_id": f"r-{number}", "turn_id": f"t-{number - 1}", **searched}


def records(count: int, first: int = 0, seed: int = 1) -> list[bytes]:
    """Return events as bytes."""
    return [json.dumps(event(number, seed)).encode() for number in range(first, first + count)]
