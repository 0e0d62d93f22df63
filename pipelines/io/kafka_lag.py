"""How far the warehouse is behind Kafka."""

from collections import defaultdict
from collections.abc import Mapping

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from pipelines.io.kafka_connection import KafkaSettings, NoBrokerError


def lags(settings: KafkaSettings, offsets: Mapping[str, int]) -> dict[str, int | None]:
    """Return, for the positions of topics among the warehouse's, how many records wait; None where nobody knows.

    Raises `NoBrokerError` where no broker answers.
    """
    topics: dict[str, list[str]] = defaultdict(list)
    for partition in offsets:
        if partition.startswith("kafka:"):
            topics[partition.removeprefix("kafka:").rpartition("/")[0]].append(partition)
    found: dict[str, int | None] = {}
    if not topics:
        return found
    try:
        consumer = KafkaConsumer(**settings.client(), enable_auto_commit=False, metrics_enabled=False)
    except (KafkaError, OSError) as error:
        raise NoBrokerError(settings.servers, type(error).__name__) from error
    try:
        for topic, partitions in topics.items():
            places = {name: TopicPartition(topic, int(name.rpartition("/")[2])) for name in partitions}
            there = consumer.partitions_for_topic(topic) or set()
            ends = consumer.end_offsets([place for place in places.values() if place.partition in there])
            for name, place in places.items():
                found[name] = max(0, ends[place] - offsets[name]) if place in ends else None
    finally:
        consumer.close()
    return found
