"""Realistic events for the benchmark of the stream: turns of about 650 bytes, retrievals of about 4.5 KB."""

import json
import random
import uuid
from datetime import UTC, datetime, timedelta

_WORDS = (
    *("plan", "team", "invoice", "search", "export", "seat", "region", "audit", "token", "limit", "price", "upgrade"),
    *("refund", "window", "answer", "note", "policy", "member", "workspace", "billing", "shared", "single", "renewal"),
)
START = datetime(2026, 1, 1, tzinfo=UTC)


def _text(rng: random.Random, size: int) -> str:
    made = ""
    while len(made) < size:
        made += rng.choice(_WORDS) + " "
    return made[: size - 1] + "."


def _envelope(rng: random.Random, kind: str, number: int, per_day: int) -> dict[str, object]:
    moment = START + timedelta(seconds=number * 86_400 / per_day)
    return {
        "event_id": str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        "event_type": kind,
        "schema_version": 1,
        "tenant": f"help-{number % 7}.example.com",
        "environment": "production",
        "occurred_at": moment.isoformat(timespec="milliseconds"),
        "sent_at": (moment + timedelta(seconds=1)).isoformat(timespec="milliseconds"),
        "received_at": (moment + timedelta(seconds=1.2)).isoformat(timespec="milliseconds"),
        "producer_id": f"web-{number % 4}",
        "sequence": number // 4,
        "conversation_id": f"c-{number // 5}",
        "visitor_id": f"v-{number // 9}",
    }


def turns(count: int, first: int = 0, per_day: int = 100_000) -> list[bytes]:
    """Return turns of about 650 bytes."""
    rng = random.Random(first)
    texts = [_text(rng, 60) for _ in range(500)]
    made = []
    for number in range(first, first + count):
        payload = {
            "turn_id": f"t-{number}",
            "turn_index": number % 5,
            "message": rng.choice(texts),
            "language": "en",
            "answer": rng.choice(texts) + rng.choice(texts),
            "gate": {"decision": "substantive", "reason": "vocabulary", "version": "g1"},
            "latency_ms": 812.5,
            "model": "m-large",
        }
        made.append(_bytes(_envelope(rng, "turn", number, per_day) | {"payload": payload}))
    return made


def retrievals(count: int, first: int = 0, per_day: int = 100_000) -> list[bytes]:
    """Return retrievals of about 4.5 KB, with eight passages each."""
    rng = random.Random(first + 1)
    texts = [_text(rng, 400) for _ in range(500)]
    made = []
    for number in range(first, first + count):
        passages = [
            {
                "passage_id": f"d-{rng.randrange(10_000)}#{place}",
                "kind": "document",
                "title": "Plans and prices",
                "text": rng.choice(texts),
                "rank": place + 1,
                "score": round(20 - place * 1.37, 2),
            }
            for place in range(8)
        ]
        payload = {
            "retrieval_id": f"r-{number}",
            "turn_id": f"t-{number}",
            "outcome": "searched",
            "message": texts[number % 500][:60],
            "searched_query": texts[number % 500][:60],
            "resolution": "as_typed",
            "k": 8,
            "latency_ms": 41.5,
            "passages": passages,
        }
        made.append(_bytes(_envelope(rng, "retrieval", number, per_day) | {"payload": payload}))
    return made


def _bytes(event: dict[str, object]) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode()
