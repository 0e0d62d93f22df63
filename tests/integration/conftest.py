"""Fixtures of the integration tests: a real broker, warehouses."""

import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

with warnings.catch_warnings():
    # kafka-python 3.0 reads its schemas in a way that Python 3.11 deprecates; once imported it is silent
    warnings.simplefilter("ignore", DeprecationWarning)
    import kafka as _  # noqa: F401

from pipelines.io.kafka_connection import KafkaSettings
from pipelines.io.warehouse import Warehouse
from tests.integration.kafka.broker import JARS, Broker, make_topic
from tests.integration.kafka.proxy import Proxy


def pytest_configure(config: pytest.Config) -> None:
    """Let kafka-python leave a socket open for each connection that a dead broker refused."""
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")
    warnings.filterwarnings("ignore", "unclosed <socket", ResourceWarning)  # for what is collected after the last test


def absent(reason: str) -> None:
    """Skip for a reason; fail where CI must not skip."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI must run these tests")
    pytest.skip(reason)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """Return what stands between clients and a test's own broker."""
    made = Proxy()
    yield made
    made.close()


@pytest.fixture
def own_broker(tmp_path: Path, proxy: Proxy) -> Iterator[Broker]:
    """Start a broker for one test, which may kill it; its clients come through the proxy."""
    if shutil.which("java") is None or not any(JARS.glob("kafka_*.jar")):
        absent("Java or the jars of Kafka are absent: make kafka")
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Broker(folder, advertised=proxy.port)
    proxy.target = broker.port
    try:
        broker.start()
        yield broker
    finally:
        broker.close()


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a broker: the one of KAFKA_BOOTSTRAP_SERVERS, or one started for the session."""
    if running := os.environ.get("KAFKA_BOOTSTRAP_SERVERS"):
        yield running
        return
    if shutil.which("java") is None or not any(JARS.glob("kafka_*.jar")):
        absent("neither KAFKA_BOOTSTRAP_SERVERS nor Java with the jars of Kafka (make kafka) is there")
    broker = Broker(tmp_path_factory.mktemp("broker"))
    try:
        broker.start()
        yield broker.servers
    finally:
        broker.close()


@pytest.fixture
def kafka(servers: str) -> KafkaSettings:
    """Return how to reach the broker."""
    return KafkaSettings(servers=servers)


@pytest.fixture
def topic(servers: str) -> str:
    """Make a topic of three partitions for one test and return its name."""
    name = f"events-{uuid4().hex[:12]}"
    make_topic(servers, name)
    return name


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse that does not exist yet."""
    return Warehouse(tmp_path / "warehouse.duckdb", memory_limit="1GB")
