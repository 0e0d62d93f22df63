"""`nightcheck serve` as a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.faults.children import ENVIRONMENT, ROOT
from tests.integration.kafka.broker import free_port

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_collector_that_is_told_to_stop_has_not_failed(tmp_path: Path, number: signal.Signals) -> None:
    """As ingest does, it ends with exit code 0."""
    port = free_port()
    child = subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", "serve", "--port", str(port)],
        env={**ENVIRONMENT, "NIGHTCHECK_HOME": str(tmp_path)},
        cwd=ROOT,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)  # a server's start has no event to wait for

    os.kill(child.pid, number)
    _, words = child.communicate(timeout=60)

    assert child.returncode == 0, words
