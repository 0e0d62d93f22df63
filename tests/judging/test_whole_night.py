"""A whole night with the judge that asks a model, through the command line."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pipelines.io.warehouse import NoWarehouseError, Warehouse
from tests.judging.scripted_endpoint import ScriptedEndpoint, scripted, well

DAY = "2026-11-28"
TURNS = 40


def write_events(path: Path) -> None:
    """Write one conversation a turn, each with a retrieval of two passages of which the first answers."""
    lines = []
    for number in range(TURNS):
        envelope = {
            "schema_version": 1,
            "tenant": "help.example.com",
            "environment": "production",
            "occurred_at": f"{DAY}T10:{number:02}:00.000+00:00",
            "conversation_id": f"c-{number}",
        }
        turn = {
            "turn_id": f"t-{number}",
            "turn_index": 0,
            "message": f"What is plan {number}?",
            "answer": "It depends.",
        }
        passages = [
            {"passage_id": f"d-{number}-{rank}", "kind": "document", "text": text, "rank": rank}
            for rank, text in ((1, f"The plan {number} has it."), (2, f"Bread number {number}."))
        ]
        retrieval = {
            "retrieval_id": f"r-{number}",
            "turn_id": f"t-{number}",
            "outcome": "searched",
            "searched_query": f"What is plan {number}?",
            "resolution": "as_typed",
            "passages": passages,
        }
        for kind, payload, half in (("turn", turn, 1), ("retrieval", retrieval, 2)):
            event_id = f"00000000-0000-4000-8000-{half:04}{number:08}"
            lines.append(json.dumps(envelope | {"event_id": event_id, "event_type": kind, "payload": payload}))
    path.write_text("\n".join(lines) + "\n")


def start(home: Path, endpoint: ScriptedEndpoint, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    """Start the command line in a process of its own, with the scripted endpoint as its judge."""
    environment = {
        "NIGHTCHECK_HOME": str(home),
        "NIGHTCHECK_JUDGE": "openai",
        "NIGHTCHECK_JUDGE_BASE_URL": endpoint.base_url,
        "NIGHTCHECK_JUDGE_MODEL": "judge-2026-01-01",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment | settings,
    )


def finish(process: subprocess.Popen[str]) -> str:
    """Return what a process printed; it must have ended well."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def stored(home: Path) -> Counter[str]:
    """Return how many verdicts are stored, by status."""
    try:
        with Warehouse(home / "warehouse.duckdb").read() as connection:
            rows = connection.execute("select status, count(*) from night.verdicts group by status").fetchall()
    except NoWarehouseError:
        rows = []
    return Counter(dict(rows))


@pytest.mark.integration
def test_the_noise_of_a_night_is_measured_past_the_store(tmp_path: Path) -> None:
    """The same sample is asked about again although every verdict is known, and what moved is stored."""
    events = tmp_path / "events.jsonl"
    write_events(events)
    with scripted(well) as endpoint:
        finish(start(tmp_path, endpoint, "ingest", str(events)))
        finish(start(tmp_path, endpoint, "night", "--day", DAY, "--json"))
        calls = len(endpoint.calls)
        measured = finish(start(tmp_path, endpoint, "judge", "noise", "--day", DAY, "--json"))

        assert len(endpoint.calls) == 2 * calls == 2 * TURNS
    floors = [json.loads(line) for line in measured.splitlines()]
    assert [(each["environment"], each["measure"]) for each in floors] == [
        ("production", "irrelevant_query"),
        ("production", "irrelevant_need"),
    ]
    assert {(each["compared"], each["moved"], each["difference"]) for each in floors} == {(2 * TURNS, 0, 0.0)}
    with Warehouse(tmp_path / "warehouse.duckdb").read() as connection:
        stored_floors = connection.execute("select measure, compared from night.noise order by all").fetchall()
    assert stored_floors == [("irrelevant_need", 2 * TURNS), ("irrelevant_query", 2 * TURNS)]
