"""Records into a Kafka topic, durable before they are acknowledged."""

from collections.abc import Sequence

from kafka import KafkaProducer
from kafka.errors import KafkaError

from pipelines.io.kafka_connection import KafkaSettings, NoBrokerError


class KafkaWriter:
    """Appends records to a topic; `append` returns when every broker that must have them has them."""

    def __init__(self, topic: str, settings: KafkaSettings, *, timeout_seconds: float = 20.0) -> None:
        self._topic = topic
        self._timeout = timeout_seconds
        try:
            self._producer = KafkaProducer(
                **settings.client(),
                acks="all",
                enable_idempotence=True,
                compression_type="lz4",
                linger_ms=5,
                max_request_size=8 * 1024 * 1024,
                delivery_timeout_ms=int(timeout_seconds * 1000),
                request_timeout_ms=int(timeout_seconds * 500),
                max_block_ms=int(timeout_seconds * 500),
                metrics_enabled=False,
            )
        except (KafkaError, OSError) as error:
            raise NoBrokerError(settings.servers, type(error).__name__) from error

    def append(self, records: Sequence[bytes]) -> None:
        """Send all records and look at what became of each; raises `OSError` unless every one is durable.

        `flush` returns normally after sends that failed, so it tells nothing: the futures do.
        """
        try:
            futures = [self._producer.send(self._topic, record) for record in records]
            for future in futures:
                future.get(timeout=self._timeout)
        except KafkaError as error:
            raise OSError(f"Kafka did not take the records: {type(error).__name__}") from error

    def close(self) -> None:
        """Let go of the connection."""
        self._producer.close()
