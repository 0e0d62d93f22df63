"""Searches on the wire, for tests."""

import json
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from tests.resolution.replay.build import MORNING, TENANT

#: Sunday 29 November 2026
WINDOW = {"start": "2026-11-23T00:00:00Z", "end": "2026-11-30T00:00:00Z"}
PIN = {"item_id": "i-1", "item_type": "todo", "text": "Renew the certificate", "at": "2026-11-24T09:00:00Z"}


def search(
    conversation: str,
    index: int,
    message: str | None,
    *passages: str,
    event: str = "",
    outcome: str = "searched",
    tenant: str = TENANT,
    environment: str = "production",
    event_id: str | None = None,
    window: dict[str, str] | None = None,
    pins: tuple[dict[str, str], ...] = (),
) -> bytes:
    """Return a retrieval for a turn of a conversation, with these texts as its passages."""
    name = f"{conversation}-{index}"
    payload: dict[str, Any] = {"retrieval_id": f"{name}-r", "turn_id": name, "outcome": outcome, "pins": list(pins)}
    if message is not None:
        payload["message"] = message
    if window is not None:
        payload["window"] = window
    if outcome == "searched":
        payload |= {
            "searched_query": message or "What was planned last week?",
            "resolution": "as_typed",
            "passages": [
                {"passage_id": f"{name}-{rank}", "kind": "document", "text": text, "rank": rank}
                for rank, text in enumerate(passages, start=1)
            ],
        }
    else:
        payload["reason"] = "too_short"
    return json.dumps(
        {
            "event_id": event_id or str(uuid5(NAMESPACE_DNS, f"{tenant} {name} search {event}")),
            "event_type": "retrieval",
            "schema_version": 1,
            "tenant": tenant,
            "environment": environment,
            "occurred_at": (MORNING + timedelta(minutes=index, seconds=1)).isoformat(),
            "conversation_id": conversation,
            "payload": payload,
        }
    ).encode()
