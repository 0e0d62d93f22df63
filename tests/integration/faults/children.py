"""Child processes of the fault tests."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}


def start_ingester(warehouse: Path, rows: int, *sources: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start an ingester and return when it is about to read."""
    command = [sys.executable, "-m", "tests.integration.faults.ingester", str(warehouse), str(rows), *sources]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**ENVIRONMENT, **environment}, cwd=ROOT
    )
    assert child.stdout is not None
    line = child.stdout.readline()
    assert line == b"ready\n", child.communicate()
    return child


def kill(child: subprocess.Popen[bytes]) -> int:
    """Kill a child at once and return how many records it had said to be durable."""
    child.kill()
    output, _ = child.communicate()
    return sum(int(line) for line in output.split(b"\n")[:-1] if line.isdigit())
