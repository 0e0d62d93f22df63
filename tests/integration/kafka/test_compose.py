"""`compose.yaml` fits the image that it names, the Kafka that the tests run against, and what is promised of it."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from pipelines.ingest.decode import DEFAULT_LIMITS
from tests.integration.conftest import absent
from tests.integration.faults.children import ROOT
from tests.integration.kafka.broker import JARS


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """Return the services."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    return found


def properties(environment: dict[str, Any]) -> dict[str, str]:
    """Return the properties of a broker that the image makes of its environment: KAFKA_A_B is a.b."""
    return {name.removeprefix("KAFKA_").replace("_", ".").lower(): str(value) for name, value in environment.items()}


def test_the_image_is_the_kafka_that_is_tested(services: dict[str, Any]) -> None:
    """Both services run the version whose jars the tests fetch."""
    (version,) = re.findall("<kafka.version>(.*)</kafka.version>", (JARS.parents[1] / "pom.xml").read_text())

    assert {service["image"] for service in services.values()} == {f"apache/kafka:{version}"}


def test_nothing_listens_beyond_the_loopback_interface(services: dict[str, Any]) -> None:
    """The port is published on the loopback interface alone, and clients are sent back to just that address."""
    made = properties(services["kafka"]["environment"])

    assert services["kafka"]["ports"] == ["127.0.0.1:9092:9092"]
    assert made["advertised.listeners"] == "PLAINTEXT://127.0.0.1:9092"
    assert "ports" not in services["topic"]


def test_topics_outlive_the_container(services: dict[str, Any]) -> None:
    """The volume is mounted where the broker writes; a topic made anew would halt the ingester."""
    (volume,) = services["kafka"]["volumes"]

    assert volume.split(":") == ["kafka", properties(services["kafka"]["environment"])["log.dirs"]]


def test_one_node_is_enough_and_takes_the_largest_event(services: dict[str, Any]) -> None:
    """Internal topics need no second broker, and no record that the collector accepts is too large."""
    made = properties(services["kafka"]["environment"])

    assert {value for name, value in made.items() if name.endswith(("replication.factor", "min.isr"))} == {"1"}
    assert int(made["message.max.bytes"]) > DEFAULT_LIMITS.max_bytes * 1.5


@pytest.mark.integration
def test_kafka_itself_takes_the_settings(services: dict[str, Any], tmp_path: Path) -> None:
    """Kafka's storage tool reads them, finds a node that is broker and controller, and formats its folder."""
    if shutil.which("java") is None or not any(JARS.glob("kafka_*.jar")):
        absent("Java or the jars of Kafka are absent: make kafka")
    made = properties(services["kafka"]["environment"]) | {"log.dirs": str(tmp_path / "data")}
    file = tmp_path / "server.properties"
    file.write_text("".join(f"{name}={value}\n" for name, value in made.items()))

    command = ["java", "-cp", f"{JARS}/*", "kafka.tools.StorageTool", "format", "-t", "A" * 22, "-c", str(file)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "LOG_DIR": str(tmp_path)}
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "data" / "meta.properties").exists()
