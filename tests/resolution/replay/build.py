"""Stored turns for tests: short to write, through the wire and the ingest loop."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from pipelines.ingest.run import ingest
from pipelines.io.warehouse import Warehouse
from tests.ingest.sources import Records

TENANT = "help.example.com"
MORNING = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
DAY = MORNING.date()


def turn(
    conversation: str,
    index: int,
    message: str,
    answer: str | None = None,
    *,
    event: str = "",
    days: int = 0,
    tenant: str = TENANT,
    environment: str = "production",
    decision: str | None = None,
    language: str | None = None,
) -> bytes:
    """Return one turn on the wire; `days` after the day, and `event` where a turn is reported more than once."""
    payload: dict[str, Any] = {"turn_id": f"{conversation}-{index}", "turn_index": index, "message": message}
    if answer is not None:
        payload["answer"] = answer
    if language is not None:
        payload["language"] = language
    if decision is not None:
        payload["gate"] = {"decision": decision, "reason": "told", "version": "other"}
    return json.dumps(
        {
            "event_id": str(uuid5(NAMESPACE_DNS, f"{tenant} {environment} {conversation} {index} {event}")),
            "event_type": "turn",
            "schema_version": 1,
            "tenant": tenant,
            "environment": environment,
            "occurred_at": (MORNING + timedelta(days=days, minutes=index)).isoformat(),
            "conversation_id": conversation,
            "payload": payload,
        }
    ).encode()


def stored(folder: Path, *turns: bytes) -> Warehouse:
    """Return a warehouse that holds these turns."""
    warehouse = Warehouse(folder / "warehouse.duckdb")
    counts = ingest(Records(turns), warehouse, now=lambda: MORNING)
    assert counts.stored == len(turns)
    return warehouse


def rows(warehouse: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return what a query says."""
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()
