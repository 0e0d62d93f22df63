"""Fixtures of the fault tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.faults.small_disk import SmallDisk, mounted


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """Return a disk of a few megabytes; skip where mounting one is not allowed."""
    with mounted(tmp_path / "disk", "6m") as disk:
        if disk is None:
            pytest.skip("mounting a tmpfs needs root")
        yield disk
