"""What must not mix: what is delivered twice with itself, and one environment with another that has the same ids."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import polars as pl
import pytest

from pipelines.io.warehouse import Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.marts.catalog import MARTS
from pipelines.marts.run import read
from pipelines.night.run import Plan, run_night
from tests.resolution.dated.build import search
from tests.resolution.replay.build import DAY, MORNING, stored, turn

SAID = (
    turn("a", 0, "Which plans include SSO?", "The Team plan does.", decision="substantive", language="en"),
    search("a", 0, "Which plans include SSO?", "The Team plan includes SSO.", "Bread is baked daily."),
    turn("a", 1, "And the second one?", "I don't know.", decision="follow_up", language="en"),
    search("a", 1, "And the second one?", "The second plan has an export.", "Bread is baked daily."),
    turn("b", 0, "What did we plan last week?", "A move.", decision="substantive", language="en"),
    search("b", 0, "What did we plan last week?", "Nothing about it."),
    turn("b", 1, "What does it cost?", "No.", decision="follow_up", language="en"),
    search("b", 1, None, "What it costs.", "It is not dear."),
    turn("c", 0, "hm", None, decision="skip", language="en"),
    search("c", 0, "hm", outcome="skipped"),
)
#: ids of events below and above all others
LOWEST, HIGHEST = 0, 0xFFFFFFFF << 96


def changed(
    line: bytes, number: int, *, first_id: int = HIGHEST, later: timedelta = timedelta(), **envelope: str
) -> bytes:
    """Return another event that reports the same turn or retrieval otherwise."""
    event = json.loads(line)
    payload: dict[str, Any] = event["payload"]
    event |= envelope | {"event_id": str(UUID(int=first_id + number))}
    event["occurred_at"] = (datetime.fromisoformat(event["occurred_at"]) + later).isoformat()
    if event["event_type"] == "turn":
        payload |= {
            "message": "Où est la facture d'hier ?",
            "language": "fr",
            "turn_index": 0,
            "answer": "Je ne sais pas.",
        }
        payload["gate"] = {"decision": "no_need", "reason": "other", "version": "9"}
    else:
        payload |= {"outcome": "searched", "searched_query": "bread", "message": "tomorrow?", "resolution": "rewritten"}
        payload["passages"] = [{"passage_id": "x", "kind": "graph", "text": "Bread.", "rank": 1}]
    return json.dumps(event).encode()


def marts(folder: Path, *lines: bytes, environments: tuple[str, ...] = ("production",)) -> dict[str, pl.DataFrame]:
    """Run the night over these events; return what each mart says of production."""
    warehouse = stored(folder, *lines)
    run_night(warehouse, DAY, LexicalJudge(), Plan(environments=environments, seed="1", cap=2), now=lambda: MORNING)
    return {mart: _of_production(warehouse, mart) for mart in MARTS}


def _of_production(warehouse: Warehouse, mart: str) -> pl.DataFrame:
    return read(warehouse, mart, DAY, DAY).filter(environment="production")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """Return the marts of events that came once, from one environment."""
    found = marts(tmp_path_factory.mktemp("alone"), *SAID)
    assert all(len(rows) for rows in found.values())
    return found


@pytest.mark.parametrize("first_id", [LOWEST, HIGHEST])
def test_of_what_is_reported_twice_the_first_counts(
    tmp_path: Path, alone: dict[str, pl.DataFrame], first_id: int
) -> None:
    """In every mart, whatever the later report says and whichever of the two has the lower id."""
    again = [
        changed(line, number, first_id=first_id, later=timedelta(hours=1)) for number, line in enumerate(SAID, start=1)
    ]

    found = marts(tmp_path, *again, *SAID)

    differing = [mart for mart in MARTS if mart != "loss_daily" and not found[mart].equals(alone[mart])]
    assert differing == []


@pytest.mark.parametrize("first_id", [LOWEST, HIGHEST])
def test_environments_with_the_same_ids_do_not_mix(
    tmp_path: Path, alone: dict[str, pl.DataFrame], first_id: int
) -> None:
    """Every mart says the same of one whether or not the other has the same tenant, turns, searches, conversations."""
    elsewhere = [
        changed(line, number, first_id=first_id, environment="staging") for number, line in enumerate(SAID, start=1)
    ]

    found = marts(tmp_path, *elsewhere, *SAID, environments=("production", "staging"))

    assert [mart for mart in MARTS if not found[mart].equals(alone[mart])] == []
