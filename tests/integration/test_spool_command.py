"""`nightcheck ingest spool` as a process beside the one that writes the spool."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.io.spool import SpoolWriter
from pipelines.io.warehouse import Warehouse
from tests.integration.faults.children import ENVIRONMENT, ROOT
from tests.streaming.laws import assert_laws, totals, undisturbed
from tests.streaming.traffic import records

pytestmark = pytest.mark.integration


def command(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start nightcheck."""
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", "ingest", "spool", "--json", *arguments],
        env={**ENVIRONMENT, "NIGHTCHECK_HOME": str(home)},
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_spool_is_followed_until_the_command_is_told_to_stop(tmp_path: Path) -> None:
    """What a collector writes meanwhile is stored; others may read the warehouse; SIGTERM ends it with exit code 0."""
    sent = records(90)
    warehouse = Warehouse(tmp_path / "warehouse.duckdb")
    with SpoolWriter(tmp_path / "spool") as writer:
        child = command(tmp_path)
        for first, end in ((0, 50), (50, 70), (70, 90)):
            writer.append(sent[first:end])
            deadline = time.monotonic() + 60
            while not warehouse.path.exists() or totals(warehouse).stored < end:
                assert time.monotonic() < deadline
                assert child.poll() is None, child.communicate()
                time.sleep(0.05)  # until it has read what is there

        os.kill(child.pid, signal.SIGTERM)
        output, words = child.communicate(timeout=60)

    assert child.returncode == 0, words
    assert json.loads(output)["stored"] == 90
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=90)


def test_until_the_end_of_a_spool(tmp_path: Path) -> None:
    """With --until-end it reads what is there, and again nothing."""
    with SpoolWriter(tmp_path / "spool") as writer:
        writer.append(records(20))

    counts = [json.loads(command(tmp_path, "--until-end").communicate(timeout=60)[0]) for _ in range(2)]

    assert [each["stored"] for each in counts] == [20, 0]
