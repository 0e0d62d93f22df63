"""The way to the brokers: settings, clients, and what a topic is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from pipelines.errors import NightcheckError, UsageError
from pipelines.io.kafka_records import Pair, attach


class NoBrokerError(NightcheckError):
    """No broker answers."""

    def __init__(self, servers: str, reason: str) -> None:
        super().__init__(
            f"Kafka at {servers}", f"no answer ({reason})", "Check KAFKA_BOOTSTRAP_SERVERS and that it runs"
        )


class NoTopicError(NightcheckError):
    """The topic does not exist, or this user may not see it."""

    def __init__(self, topic: str) -> None:
        super().__init__(f"topic {topic}", "there is none of that name, or this user may not see it", "Make it first")


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """How to reach the brokers. Secrets are not shown in the representation."""

    servers: str = "127.0.0.1:9092"
    security_protocol: str = "PLAINTEXT"
    sasl_mechanism: str | None = None
    sasl_username: str | None = None
    sasl_password: str | None = field(default=None, repr=False)
    ssl_cafile: str | None = None
    ssl_certfile: str | None = None
    ssl_keyfile: str | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "KafkaSettings":
        """Read `KAFKA_BOOTSTRAP_SERVERS`, `KAFKA_SECURITY_PROTOCOL` (PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL),
        `KAFKA_SASL_MECHANISM`, `KAFKA_SASL_USERNAME`, `KAFKA_SASL_PASSWORD`, `KAFKA_SSL_CAFILE`, `KAFKA_SSL_CERTFILE`
        and `KAFKA_SSL_KEYFILE`. Raises `UsageError` for a protocol that does not exist.
        """  # noqa: D205 - the list is the summary
        names = {"servers": "BOOTSTRAP_SERVERS"} | {
            name: name.upper() for name in cls.__dataclass_fields__ if name != "servers"
        }
        found = {name: environment[f"KAFKA_{key}"] for name, key in names.items() if environment.get(f"KAFKA_{key}")}
        chosen = cls(**found)
        if chosen.security_protocol not in ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"):
            raise UsageError("KAFKA_SECURITY_PROTOCOL", f"{chosen.security_protocol!r} is none", "Use SASL_SSL or SSL")
        return chosen

    def client(self) -> dict[str, Any]:
        """Return the arguments that every client of kafka-python takes."""
        arguments = {
            "bootstrap_servers": self.servers.split(","),
            "security_protocol": self.security_protocol,
            "sasl_mechanism": self.sasl_mechanism,
            "sasl_plain_username": self.sasl_username,
            "sasl_plain_password": self.sasl_password,
            "ssl_cafile": self.ssl_cafile,
            "ssl_certfile": self.ssl_certfile,
            "ssl_keyfile": self.ssl_keyfile,
            "client_id": "nightcheck",
            "reconnect_backoff_max_ms": 2_000,  # a broker that restarts is back soon; the default waits half a minute
        }
        return {name: value for name, value in arguments.items() if value is not None}


def topic_exists(topic: str, settings: KafkaSettings) -> bool:
    """Return whether the brokers know the topic and this user may see it; raises `KafkaError` where they do not say."""
    admin = KafkaAdminClient(**settings.client())
    try:
        (found,) = admin.describe_topics([topic])
    finally:
        admin.close()
    return not found["error_code"] and bool(found["partitions"])


class KafkaConnection:
    """A consumer without a group, and an admin client for what a consumer cannot ask."""

    def __init__(self, topic: str, settings: KafkaSettings) -> None:
        self._topic = topic
        try:
            self.admin = KafkaAdminClient(**settings.client())
            self.consumer = KafkaConsumer(
                **settings.client(),
                enable_auto_commit=False,
                auto_offset_reset="none",
                isolation_level="read_committed",
                allow_auto_create_topics=False,
                max_partition_fetch_bytes=8 * 1024 * 1024,
                fetch_max_bytes=48 * 1024 * 1024,
                metrics_enabled=False,
            )
        except (KafkaError, OSError) as error:
            raise NoBrokerError(settings.servers, type(error).__name__) from error
        self._pairs = attach(self.consumer)

    def describe(self) -> tuple[str, list[int]]:
        """Return the topic's id and the numbers of its partitions; raises `NoTopicError`."""
        (found,) = self.admin.describe_topics([self._topic])
        if found["error_code"] or not found["partitions"]:
            raise NoTopicError(self._topic)
        return str(found["topic_id"]), sorted(each["partition_index"] for each in found["partitions"])

    def poll(self, seconds: float, rows: int) -> dict[TopicPartition, list[Pair]]:
        """Return what arrived, waiting for it for a while."""
        found = self.consumer.poll(timeout_ms=int(seconds * 1000), max_records=rows)
        if self._pairs:
            return dict(found)
        return {place: [(each.offset, each.value or b"") for each in records] for place, records in found.items()}

    def close(self) -> None:
        """Let go of both."""
        self.consumer.close(autocommit=False)
        self.admin.close()
