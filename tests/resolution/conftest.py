"""Where the shared data is, for the tests of resolution."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def gate_data() -> Path:
    """Return the folder of labelled turns; skip where it is absent, except in CI."""
    folder = Path(__file__).resolve().parents[3] / "shared" / "data" / "gate"
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"{folder} is absent")
        pytest.skip(f"{folder} is absent")
    return folder
