"""Records into a Kafka topic, durable before they are acknowledged."""

from collections.abc import Sequence
from contextlib import suppress

from kafka import KafkaProducer
from kafka.errors import KafkaError

from pipelines.io.kafka_connection import KafkaSettings, NoBrokerError


class KafkaWriter:
    """Appends records to a topic; `append` returns when every broker that must have them has them.

    After an error the producer is given up and the next append makes another: kafka-python's idempotent producer does
    not come back from a broker that stored a batch and died before it said so, every later send of it times out.
    """

    def __init__(self, topic: str, settings: KafkaSettings, *, timeout_seconds: float = 20.0) -> None:
        self._topic = topic
        self._timeout = timeout_seconds
        self._settings = settings
        try:
            self._producer: KafkaProducer | None = self._connect()
        except (KafkaError, OSError) as error:
            raise NoBrokerError(settings.servers, type(error).__name__) from error

    def append(self, records: Sequence[bytes]) -> None:
        """Send all records and look at what became of each; raises `OSError` unless every one is durable.

        `flush` returns normally after sends that failed, so it tells nothing: the futures do.
        """
        try:
            if self._producer is None:
                self._producer = self._connect()
            futures = [self._producer.send(self._topic, record) for record in records]
            for future in futures:
                future.get(timeout=self._timeout)
        except KafkaError as error:
            self._give_up()
            raise OSError(f"Kafka did not take the records: {type(error).__name__}") from error

    def close(self) -> None:
        """Let go of the connection."""
        if self._producer is not None:
            self._producer.close()

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
        if producer is None:
            return
        with suppress(AttributeError):  # private, and without it `close` waits for what will never be sent
            producer._sender.force_close()  # noqa: SLF001
        with suppress(KafkaError):
            producer.close(timeout=1)
