"""Records into Kafka are acknowledged by their futures, for a flush that returns says nothing."""

import warnings
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of kafka-python's way to read its schemas, at import
    from kafka.errors import KafkaTimeoutError

from pipelines.errors import NotTakenError
from pipelines.io import kafka_writer
from pipelines.io.kafka_connection import KafkaSettings
from pipelines.io.kafka_writer import KafkaWriter


class Future:
    """What a send leaves behind."""

    def __init__(self, failed: bool) -> None:
        self._failed = failed

    def get(self, timeout: float) -> None:
        if self._failed:
            raise KafkaTimeoutError


class Producer:
    """kafka-python's producer, as it behaves with the broker gone: sends and `flush` return, the futures have failed."""

    failing = False

    def __init__(self, **_settings: Any) -> None:
        self.sent: list[bytes] = []

    def send(self, _topic: str, record: bytes) -> Future:
        self.sent.append(record)
        return Future(self.failing and record == b"2")

    def flush(self, timeout: float | None = None) -> None:
        return

    def close(self, timeout: float | None = None) -> None:
        return


def test_one_failed_send_is_a_failed_append(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every future is looked at, the ones in the middle too."""
    monkeypatch.setattr(kafka_writer, "KafkaProducer", Producer)
    monkeypatch.setattr(kafka_writer, "topic_exists", lambda _topic, _settings: True)
    writer = KafkaWriter("events", KafkaSettings())

    writer.append([b"1", b"2"])
    monkeypatch.setattr(Producer, "failing", True)
    with pytest.raises(OSError, match="Kafka did not take"):
        writer.append([b"1", b"2", b"3"])
    monkeypatch.setattr(Producer, "failing", False)
    writer.append([b"1", b"2", b"3"])  # by another producer

    writer.close()


def test_a_topic_that_does_not_exist_is_named_at_once_and_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent to it, so nobody waits; once it was made, records go to it and it is not asked for any more."""
    answers = [False, False, True]
    monkeypatch.setattr(kafka_writer, "KafkaProducer", Producer)
    monkeypatch.setattr(kafka_writer, "topic_exists", lambda _topic, _settings: answers.pop(0))
    writer = KafkaWriter("events", KafkaSettings())

    assert not writer.has_topic()
    with pytest.raises(NotTakenError, match="topic events"):
        writer.append([b"1"])
    writer.append([b"1"])
    writer.append([b"2"])

    assert answers == []
    writer.close()


def test_brokers_that_do_not_say_whether_there_is_a_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    """They make no start fail, and every append until they answer."""

    def silent(_topic: str, _settings: KafkaSettings) -> bool:
        raise KafkaTimeoutError

    monkeypatch.setattr(kafka_writer, "KafkaProducer", Producer)
    monkeypatch.setattr(kafka_writer, "topic_exists", silent)
    writer = KafkaWriter("events", KafkaSettings())

    assert writer.has_topic()
    with pytest.raises(NotTakenError, match="KafkaTimeoutError"):
        writer.append([b"1"])
