"""From an application to the warehouse while the collector and the broker die."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.collect.client import Client
from pipelines.collect.run import create_key
from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.io.kafka import KafkaSource
from pipelines.io.kafka_connection import KafkaSettings
from pipelines.io.kafka_writer import KafkaWriter
from pipelines.io.spool import SpoolSource
from pipelines.io.warehouse import Warehouse
from tests.integration.faults.children import ENVIRONMENT, ROOT
from tests.integration.kafka.broker import Broker, free_port, make_topic
from tests.integration.kafka.proxy import Proxy
from tests.streaming.laws import assert_laws, totals, undisturbed
from tests.streaming.traffic import records

pytestmark = pytest.mark.integration
#: after which nothing is waited for any more; a slow machine starts a broker in half a minute
PATIENCE_SECONDS = 120


@contextmanager
def collector(home: Path, port: int, requests: int, when: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a collector that dies at a request; 0 never does."""
    module = "tests.integration.faults.dying_collector"
    command = [sys.executable, "-m", module, str(home), str(port), str(requests), when]
    child = subprocess.Popen(command, env=ENVIRONMENT, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)  # a server's start has no event to wait for
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_collector_killed_between_receipt_and_answer(warehouse: Warehouse, tmp_path: Path, when: str) -> None:
    """The application sends again what was not answered: everything is stored, and once."""
    key, _ = create_key(tmp_path, "help.example.com", now)
    port = free_port()
    client = Client(
        f"http://127.0.0.1:{port}",
        key=key,
        tenant="help.example.com",
        environment="production",
        spool=tmp_path / "client",
        linger_seconds=0.01,
    )
    sent = set()
    for death in (1, 3, 2, 0):
        with collector(tmp_path, port, death, when) as child:
            for number in range(60):
                sent.add(client.turn(f"c-{death}", turn_id=f"t-{death}-{number}", turn_index=number, message="Why?"))
                if number % 15 == 0:
                    client.flush()
            if death:
                child.wait(timeout=60)
            else:
                client.flush()
                deadline = time.monotonic() + PATIENCE_SECONDS
                while list((tmp_path / "client").glob("*.jsonl")):
                    assert time.monotonic() < deadline
                    time.sleep(0.1)  # the client comes back after a pause of its own
    assert client.close()

    ingest(SpoolSource(tmp_path / "spool"), warehouse, now=now)

    with warehouse.read() as connection:
        found = [str(event_id) for (event_id,) in connection.execute("select event_id from ingest.events").fetchall()]
    assert sorted(found) == sorted(sent)
    lines = b"".join(file.read_bytes() for file in sorted((tmp_path / "spool").glob("*.jsonl"))).splitlines()
    first = {json.loads(line)["event_id"]: line for line in reversed(lines)}
    assert_laws(warehouse, undisturbed(tmp_path / "calm", list(first.values())), stored=len(sent))
    assert client.dropped == {}
    assert (totals(warehouse).duplicates > 0) == (when == "after")


def test_a_broker_that_dies_and_comes_back(
    own_broker: Broker, proxy: Proxy, warehouse: Warehouse, tmp_path: Path
) -> None:
    """It dies before a send, and between a send that it stored and its acknowledgement: all is there, and once.

    Sends that were not acknowledged are errors and sent again; the follower goes on by itself.
    """
    topic = "events"
    make_topic(own_broker.servers, topic)
    settings = KafkaSettings(servers=f"127.0.0.1:{proxy.port}")
    sent = records(600)
    stop = threading.Event()
    counted: list[Counts] = []
    source = KafkaSource(topic, settings)

    def follow() -> None:
        counted.append(ingest(source, warehouse, now=now, stop=stop.is_set))

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    writer = KafkaWriter(topic, settings, timeout_seconds=4)
    refused: list[int] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    for start in range(0, 600, 60):
        if start == 180:
            own_broker.kill()
        if start == 360:
            proxy.on_lost_answer = own_broker.kill
        pending = sent[start : start + 60]
        while pending:
            try:
                writer.append(pending)
                pending = []
            except OSError:
                refused.append(start)
                assert time.monotonic() < deadline, "it never takes events again"
                if not own_broker.is_alive:
                    own_broker.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while stored(warehouse) < 600 and time.monotonic() < deadline:
        time.sleep(0.1)  # until the follower has come so far
    stop.set()
    follower.join(60)
    source.close()
    writer.close()

    assert {180, 360} <= set(refused)  # a broker that has just come back may refuse more
    assert len(counted) == 1
    assert counted[0].duplicates > 0  # what was stored and not acknowledged
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=600)


def stored(warehouse: Warehouse) -> int:
    """Return how many events the warehouse has; none where it does not exist yet."""
    return totals(warehouse).stored if warehouse.path.exists() else 0
