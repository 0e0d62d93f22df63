"""The reference values that other libraries computed."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def reference(shared_data: Path) -> dict[str, dict[str, Any]]:
    """Return the cases of `stats_reference.json` by their id."""
    cases = json.loads((shared_data / "stats_reference.json").read_text(encoding="utf-8"))["cases"]
    return {case["id"]: case for case in cases}
