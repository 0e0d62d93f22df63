"""Apache Kafka itself as a child process: KRaft, one node, loopback, its own folder."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import NewTopic

JARS = Path(__file__).parent / "target" / "lib"
_PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{advertised}
controller.listener.names=CONTROLLER
log.dirs={logs}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
auto.create.topics.enable=false
message.max.bytes=20000000
"""


def free_port() -> int:
    """Return a port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """One broker. `kill` ends it at once, `start` brings it back with its log.

    `advertised` is the port that clients are told to connect to, where that is not the broker's own.
    """

    def __init__(self, folder: Path, advertised: int | None = None) -> None:
        self._folder = folder
        self.port = free_port()
        self.servers = f"127.0.0.1:{self.port}"
        text = _PROPERTIES.format(
            port=self.port, advertised=advertised or self.port, controller=free_port(), logs=folder / "logs"
        )
        (folder / "server.properties").write_text(text)
        self._java("kafka.tools.StorageTool", "format", "-t", "AAAAAAAAAAAAAAAAAAAAAA", "-c", self._properties).wait()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _properties(self) -> str:
        return str(self._folder / "server.properties")

    def start(self) -> None:
        """Start, and return when it answers."""
        self._process = self._java("kafka.Kafka", self._properties)
        host, _, port = self.servers.rpartition(":")
        deadline = time.monotonic() + 120
        while True:
            # a plain socket first: kafka-python leaves its own open where nobody answers
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
            except OSError as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    words = (self._folder / "output").read_text()[-2000:]
                    raise RuntimeError(f"the broker did not start: {words}") from error
                time.sleep(0.1)  # a server's start has no event to wait for
            else:
                KafkaAdminClient(bootstrap_servers=self.servers).close()
                return

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End the broker at once, as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """End the broker."""
        if self.is_alive:
            self.kill()

    def _java(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = ["java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", f"{JARS}/*", *arguments]
        with (self._folder / "output").open("ab") as output:
            return subprocess.Popen(
                command, stdout=output, stderr=output, env={**os.environ, "LOG_DIR": str(self._folder)}
            )


def make_topic(servers: str, name: str, partitions: int = 3) -> None:
    """Make a topic."""
    admin = KafkaAdminClient(bootstrap_servers=servers)
    try:
        admin.create_topics([NewTopic(name, partitions, 1, topic_configs={"max.message.bytes": "20000000"})])
    finally:
        admin.close()


def send(
    servers: str, topic: str, records: list[bytes], *, partition: int | None = None, at_ms: int | None = None
) -> None:
    """Send records, spread over the partitions by turns, and check that each was taken."""
    producer = KafkaProducer(
        bootstrap_servers=servers,
        compression_type="lz4",
        linger_ms=5,
        max_request_size=20_000_000,
        metrics_enabled=False,
    )
    try:
        width = len(producer.partitions_for(topic))
        futures = [
            producer.send(
                topic, record, partition=number % width if partition is None else partition, timestamp_ms=at_ms
            )
            for number, record in enumerate(records)
        ]
        producer.flush()
        for future in futures:
            future.get(timeout=30)
    finally:
        producer.close()
