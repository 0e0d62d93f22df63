"""A few days of generated traffic in a warehouse of their own."""

import dataclasses
import shutil
from datetime import date
from pathlib import Path

import pytest

from pipelines.cli.ingest import ingest_all
from pipelines.demo.generator import generate
from pipelines.demo.tenants import TENANTS
from pipelines.settings import Settings

#: the days that have traffic; the day after the last has late events at most
FIRST, LAST = date(2026, 3, 2), date(2026, 3, 5)
TENANT_NAMES = [tenant.host for tenant in TENANTS[:2]]


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home of a warehouse with four days of two tenants; to be copied, not written to."""
    home = tmp_path_factory.mktemp("ingested")
    traffic = home / "traffic.jsonl"
    days = (LAST - FIRST).days + 1
    traffic.write_bytes(
        b"".join(line.rstrip(b"\n") + b"\n" for line in generate(3, FIRST, days, TENANTS[:2], (12, 16)))
    )
    ingest_all([str(traffic)], dataclasses.replace(Settings.from_environment({}), home=home))
    return home


@pytest.fixture
def home(ingested: Path, tmp_path: Path) -> Path:
    """Return a home of the test's own, with the traffic ingested."""
    own = tmp_path / "home"
    own.mkdir()
    shutil.copy(ingested / "warehouse.duckdb", own)
    return own
