"""Where the labelled turns are, for the tests of resolution."""

from pathlib import Path

import pytest


@pytest.fixture
def gate_data(shared_data: Path) -> Path:
    """Return the folder of labelled turns."""
    return shared_data / "gate"
