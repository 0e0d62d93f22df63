"""Nights of a few retrievals, as events in a warehouse."""

import json
from datetime import date, timedelta
from pathlib import Path

from pipelines.cli.ingest import ingest_all
from pipelines.io.warehouse import Warehouse
from pipelines.settings import Settings

FIRST = date(2026, 11, 1)
DAYS = tuple(FIRST + timedelta(days=each) for each in range(9))
RETRIEVALS = 12
TENANT = "help.example.com"


def write_events(path: Path, *nights: int, useful: int = 2, environment: str = "production") -> None:
    """Write nights of retrievals with three passages each, of which so many speak of the plan."""
    half = 4000 if environment == "production" else 5000
    lines = []
    for night in nights:
        for number in range(RETRIEVALS):
            name = f"{night}-{number}"
            passages = [
                {
                    "passage_id": f"d-{rank}",
                    "kind": "document",
                    "rank": rank,
                    "text": f"The plan {name} has it." if rank <= useful else f"Bread {rank} of {name}.",
                }
                for rank in (1, 2, 3)
            ]
            event = {
                "event_id": f"00000000-0000-{half}-8000-{night:04}{number:08}",
                "event_type": "retrieval",
                "schema_version": 1,
                "tenant": TENANT,
                "environment": environment,
                "occurred_at": f"{DAYS[night]}T10:{number:02}:00.000+00:00",
                "conversation_id": f"c-{name}",
                "visitor_id": f"v-{name}",
                "payload": {
                    "retrieval_id": f"r-{name}",
                    "turn_id": f"t-{name}",
                    "outcome": "searched",
                    "searched_query": f"What is plan {name}?",
                    "resolution": "as_typed",
                    "passages": passages,
                },
            }
            lines.append(json.dumps(event))
    path.write_text("\n".join(lines) + "\n")


def ingest(folder: Path, *nights: int, useful: int = 2, environment: str = "production") -> Warehouse:
    """Return the warehouse of a folder, with the events of these nights added."""
    events = folder / "events.jsonl"
    write_events(events, *nights, useful=useful, environment=environment)
    settings = Settings.from_environment({"NIGHTCHECK_HOME": str(folder)})
    ingest_all([str(events)], settings)
    return Warehouse(settings.warehouse)
