"""Records into a Kafka topic, durable before they are acknowledged."""

from collections.abc import Sequence
from contextlib import suppress

from kafka import KafkaProducer
from kafka.errors import KafkaError

from pipelines.errors import NotTakenError
from pipelines.io.kafka_connection import KafkaSettings, NoBrokerError, topic_exists


class KafkaWriter:
    """Appends records to a topic; `append` returns when every broker that must have them has them.

    After an error the producer is given up and the next append makes another: kafka-python's idempotent producer does
    not come back from a broker that stored a batch and died before it said so, every later send of it times out.
    """

    def __init__(self, topic: str, settings: KafkaSettings, *, timeout_seconds: float = 20.0) -> None:
        self._topic = topic
        self._timeout = timeout_seconds
        self._settings = settings
        self._topic_seen = False
        try:
            self._producer: KafkaProducer | None = self._connect()
        except (KafkaError, OSError) as error:
            raise NoBrokerError(settings.servers, type(error).__name__) from error

    def append(self, records: Sequence[bytes]) -> None:
        """Send all records and look at what became of each; raises `NotTakenError` unless every one is durable.

        `flush` returns normally after sends that failed, so it tells nothing: the futures do. A topic that does not
        exist is said at once: a send to it would be waited for in vain for longer than a client waits.
        """
        try:
            if not self._sees_topic():
                raise NotTakenError(f"topic {self._topic}: there is none of that name, or this user may not see it")
            if self._producer is None:
                self._producer = self._connect()
            futures = [self._producer.send(self._topic, record) for record in records]
            for future in futures:
                future.get(timeout=self._timeout)
        except KafkaError as error:
            self._give_up()
            raise NotTakenError(f"Kafka did not take the records: {type(error).__name__}") from error

    def has_topic(self) -> bool:
        """Return whether the topic exists; True also where the brokers do not say, for then the first append tells."""
        try:
            return self._sees_topic()
        except (KafkaError, OSError):
            return True

    def close(self) -> None:
        """Let go of the connection."""
        if self._producer is not None:
            self._producer.close()

    def _sees_topic(self) -> bool:
        """Ask for the topic until it was seen, and again after an error."""
        if not self._topic_seen:
            self._topic_seen = topic_exists(self._topic, self._settings)
        return self._topic_seen

    def _connect(self) -> KafkaProducer:
        return KafkaProducer(
            **self._settings.client(),
            acks="all",
            enable_idempotence=True,
            compression_type="lz4",
            linger_ms=5,
            max_request_size=8 * 1024 * 1024,
            delivery_timeout_ms=int(self._timeout * 1000),
            request_timeout_ms=int(self._timeout * 500),
            max_block_ms=int(self._timeout * 500),
            metrics_enabled=False,
        )

    def _give_up(self) -> None:
        """Drop the producer with whatever it still holds: none of it was acknowledged."""
        producer, self._producer = self._producer, None
        self._topic_seen = False
        if producer is None:
            return
        with suppress(AttributeError):  # private, and without it `close` waits for what will never be sent
            producer._sender.force_close()  # noqa: SLF001
        with suppress(KafkaError):
            producer.close(timeout=1)
