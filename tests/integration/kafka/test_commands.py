"""The commands of the stream as a person runs them, each as a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.io.warehouse import Warehouse
from tests.integration.faults.children import ENVIRONMENT, ROOT
from tests.integration.kafka.broker import send
from tests.streaming.laws import totals
from tests.streaming.traffic import records

pytestmark = pytest.mark.integration


def command(home: Path, servers: str, *arguments: str) -> subprocess.Popen[str]:
    """Start nightcheck."""
    environment = {**ENVIRONMENT, "NIGHTCHECK_HOME": str(home), "KAFKA_BOOTSTRAP_SERVERS": servers}
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", *arguments],
        env=environment,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(home: Path, servers: str, *arguments: str) -> dict[str, object]:
    """Run nightcheck to its end and return what it printed as JSON."""
    child = command(home, servers, *arguments, "--json")
    output, words = child.communicate(timeout=120)
    assert child.returncode == 0, words
    found: dict[str, object] = json.loads(output)
    return found


def test_ingest_status_and_replay(servers: str, topic: str, tmp_path: Path) -> None:
    """A topic is read to its end, the status tells what waits, and today is replayed without a change."""
    send(servers, topic, records(90), partition=0)
    counts = run(tmp_path, servers, "ingest", "kafka", "--topic", topic, "--until-end")
    assert (counts["consumed"], counts["stored"]) == (90, 90)

    send(servers, topic, records(5, first=90), partition=0)
    status = run(tmp_path, servers, "status")
    assert isinstance(status["positions"], list)
    assert [row["lag"] for row in status["positions"] if row["partition"] == f"kafka:{topic}/0"] == [5]
    assert status["violations"] == []

    days = ("--from", "2026-01-01", "--to", "2199-01-01")
    again = run(tmp_path, servers, "replay", "kafka", "--topic", topic, *days)
    assert (again["stored"], again["duplicates"]) == (5, 90)


def test_a_follower_ends_cleanly_when_it_is_told_to(servers: str, topic: str, tmp_path: Path) -> None:
    """SIGTERM ends it with what it read counted, exit code 0 and everything in hand stored."""
    send(servers, topic, records(60))
    child = command(tmp_path, servers, "ingest", "kafka", "--topic", topic, "--json")
    warehouse = Warehouse(tmp_path / "warehouse.duckdb")
    deadline = time.monotonic() + 60
    while not warehouse.path.exists() or totals(warehouse).stored < 60:
        assert time.monotonic() < deadline
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)  # until it has read what is there

    os.kill(child.pid, signal.SIGTERM)
    output, words = child.communicate(timeout=60)

    assert child.returncode == 0, words
    counts = json.loads(output)
    assert counts["consumed"] == counts["stored"] == 60


def test_what_is_asked_wrongly_is_said(servers: str, tmp_path: Path) -> None:
    """Kafka without a topic, or beside other sources, is a misuse: exit code 2."""
    for arguments in (("ingest", "kafka"), ("ingest", "kafka", "spool", "--topic", "t")):
        child = command(tmp_path, servers, *arguments)
        _, words = child.communicate(timeout=60)
        assert (child.returncode, "--topic" in words) == (2, True), words
