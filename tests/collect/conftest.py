"""A collector whose sink is a list, or the spool on a disk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pipelines.collect.app import Collector, make_app
from pipelines.collect.body import BodyLimits
from pipelines.collect.keys import StoredKey
from pipelines.collect.rate import Rate
from pipelines.collect.run import Gathering, create_key, keyring
from pipelines.io.keyring import Keyring
from pipelines.io.spool import SpoolWriter

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Memory:
    """A writer that keeps records, or fails when told."""

    def __init__(self) -> None:
        self.records: list[bytes] = []
        self.failing: Exception | None = None

    def append(self, records: Sequence[bytes]) -> None:
        if self.failing is not None:
            raise self.failing
        self.records.extend(records)

    def close(self) -> None:
        return


@dataclass
class Bench:
    """A collector with its parts within reach."""

    client: TestClient
    writer: Memory
    collector: Collector
    keys: Keyring[StoredKey]
    home: Path
    tokens: dict[str, str] = field(default_factory=dict)

    def key(self, tenant: str) -> dict[str, str]:
        """Return the header of a tenant's key."""
        if tenant not in self.tokens:
            self.tokens[tenant], _ = create_key(self.home, tenant, lambda: NOW)
        return {"Authorization": f"Bearer {self.tokens[tenant]}"}


def bench(home: Path, environment: str = "local") -> Iterator[Bench]:
    """Make a collector with small limits."""
    writer, keys = Memory(), keyring(home)
    collector = Collector(
        append=Gathering(writer).append,
        keys=keys.items,
        now=lambda: NOW,
        environment=environment,
        limits=BodyLimits(body_bytes=100_000, content_bytes=300_000, events=200),
        rate=Rate(per_second=100, burst=400),
        monotonic=lambda: 0.0,
    )
    with TestClient(make_app(collector)) as client:
        yield Bench(client, writer, collector, keys, home)


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Bench]:
    """Return a local collector."""
    yield from bench(tmp_path)


@pytest.fixture
def production(tmp_path: Path) -> Iterator[Bench]:
    """Return a collector of a production environment."""
    yield from bench(tmp_path, "production")


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[SpoolWriter]:
    """Return a spool."""
    with SpoolWriter(tmp_path / "spool") as writer:
        yield writer
