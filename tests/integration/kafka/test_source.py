"""The Kafka source against Kafka itself."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaProducer, TopicPartition

from pipelines.ingest.run import Counts, ingest, positions
from pipelines.io.clock import now
from pipelines.io.kafka import HaltedError, KafkaReplay, KafkaSource, Span
from pipelines.io.kafka_connection import KafkaSettings, NoTopicError
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits
from tests.integration.kafka.broker import make_topic, send
from tests.streaming.laws import assert_laws, undisturbed
from tests.streaming.traffic import event, records

pytestmark = pytest.mark.integration


def read(kafka: KafkaSettings, topic: str, warehouse: Warehouse, after_halt: str | None = None) -> Counts:
    """Ingest the topic to its end."""
    source = KafkaSource(topic, kafka, until_end=True, after_halt=after_halt, group="nightcheck-test")
    try:
        return ingest(source, warehouse, now=now, limits=BatchLimits(rows=150))
    finally:
        source.close()


def test_a_topic_is_read_once(kafka: KafkaSettings, topic: str, warehouse: Warehouse, tmp_path: Path) -> None:
    """Every record arrives, a second run reads nothing, a later one what came since."""
    sent = records(1000)
    send(kafka.servers, topic, sent[:700])

    first, again = read(kafka, topic, warehouse), read(kafka, topic, warehouse)
    send(kafka.servers, topic, [*sent[700:], sent[3], b"{"])
    later = read(kafka, topic, warehouse)

    assert (first.stored, again.consumed) == (700, 0)
    assert (later.stored, later.duplicates, later.quarantined) == (300, 1, 1)
    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=1000)


def test_the_group_offsets_follow_the_warehouse(kafka: KafkaSettings, topic: str, warehouse: Warehouse) -> None:
    """What lag tools see is what the warehouse has."""
    send(kafka.servers, topic, records(30), partition=1)

    read(kafka, topic, warehouse)

    admin = KafkaAdminClient(bootstrap_servers=kafka.servers)
    offsets = admin.list_group_offsets({"nightcheck-test": [TopicPartition(topic, 1)]})
    admin.close()
    assert offsets["nightcheck-test"][TopicPartition(topic, 1)].offset == 30
    assert positions(warehouse)[f"kafka:{topic}/1"].offset == 30


def test_a_topic_made_anew_halts_until_a_person_decides(
    kafka: KafkaSettings, topic: str, warehouse: Warehouse, tmp_path: Path
) -> None:
    """The same name with another id is another topic, even where the position would fit."""
    send(kafka.servers, topic, records(60))
    read(kafka, topic, warehouse)
    admin = KafkaAdminClient(bootstrap_servers=kafka.servers)
    admin.delete_topics([topic])
    admin.close()
    make_topic(kafka.servers, topic)
    send(kafka.servers, topic, records(90, first=60))

    with pytest.raises(HaltedError, match=r"made anew.*--after-halt earliest"):
        read(kafka, topic, warehouse)
    decided = read(kafka, topic, warehouse, after_halt="earliest")

    assert decided.stored == 90
    assert_laws(warehouse, undisturbed(tmp_path / "calm", records(150)), stored=150)


def test_expired_records_halt(kafka: KafkaSettings, topic: str, warehouse: Warehouse, tmp_path: Path) -> None:
    """Records that retention took before they were read are a loss that a person must see."""
    send(kafka.servers, topic, records(10), partition=0)
    read(kafka, topic, warehouse)
    send(kafka.servers, topic, records(40, first=10), partition=0)
    admin = KafkaAdminClient(bootstrap_servers=kafka.servers)
    admin.delete_records({TopicPartition(topic, 0): 25})
    admin.close()

    with pytest.raises(HaltedError, match="15 records after position 10 expired"):
        read(kafka, topic, warehouse)
    decided = read(kafka, topic, warehouse, after_halt="earliest")

    assert decided.stored == 25
    there = [*records(10), *records(25, first=25)]
    assert_laws(warehouse, undisturbed(tmp_path / "calm", there), stored=35)


def test_a_truncated_topic_halts(kafka: KafkaSettings, topic: str, warehouse: Warehouse) -> None:
    """A position past the end means that the topic lost its tail."""
    send(kafka.servers, topic, records(10), partition=0)
    read(kafka, topic, warehouse)
    with warehouse.write() as connection:
        connection.execute('update ingest.positions set "offset" = 999 where partition = $p', {"p": f"kafka:{topic}/0"})

    with pytest.raises(HaltedError, match="cut off at 10"):
        read(kafka, topic, warehouse)


def test_the_choice_to_go_on_at_the_end_is_kept(kafka: KafkaSettings, topic: str, warehouse: Warehouse) -> None:
    """`latest` is decided once, not anew at each start."""
    send(kafka.servers, topic, records(10), partition=0)
    source = KafkaSource(topic, kafka, until_end=True, start="latest")
    ingest(source, warehouse, now=now)
    source.close()
    send(kafka.servers, topic, records(5, first=10), partition=0)

    assert read(kafka, topic, warehouse).stored == 5


def test_an_unknown_topic_is_named(kafka: KafkaSettings, warehouse: Warehouse) -> None:
    """A topic that is not there is an error and not an empty one."""
    with pytest.raises(NoTopicError, match="nowhere"):
        read(kafka, "nowhere", warehouse)


def test_aborted_transactions_are_not_read(
    kafka: KafkaSettings, topic: str, warehouse: Warehouse, tmp_path: Path
) -> None:
    """What a producer took back is not there, and its markers are passed over."""
    producer = KafkaProducer(bootstrap_servers=kafka.servers, transactional_id="t-1", metrics_enabled=False)
    producer.init_transactions()
    made = records(30)
    for place, keep in ((0, True), (10, False), (20, True)):
        producer.begin_transaction()
        for record in made[place : place + 10]:
            producer.send(topic, record, partition=0)
        producer.flush()
        _ = producer.commit_transaction() if keep else producer.abort_transaction()
    producer.close()

    assert read(kafka, topic, warehouse).stored == 20
    assert read(kafka, topic, warehouse).consumed == 0
    assert_laws(warehouse, undisturbed(tmp_path / "calm", made[:10] + made[20:]), stored=20)


def test_a_replay_adds_what_is_missing_and_moves_nothing(
    kafka: KafkaSettings, topic: str, warehouse: Warehouse
) -> None:
    """A past stretch is read again by time: what is there is a duplicate, what was lost comes back."""
    day = datetime(2026, 11, 20, tzinfo=UTC)
    for offset, first in ((0, 0), (1, 20), (2, 40)):
        send(kafka.servers, topic, records(20, first), at_ms=int((day + timedelta(days=offset)).timestamp() * 1000))
    read(kafka, topic, warehouse)
    before = positions(warehouse)
    lost = event(25)
    with warehouse.write() as connection:
        connection.execute("delete from ingest.events where event_id = $id", {"id": lost["event_id"]})

    replay = KafkaReplay(topic, kafka, Span(start=day + timedelta(days=1), end=day + timedelta(days=2)))
    counts = ingest(replay, warehouse, now=now)
    replay.close()

    assert (counts.consumed, counts.stored, counts.duplicates) == (20, 1, 19)
    assert positions(warehouse) == before


def test_large_and_broken_records_pass_between_good_ones(
    kafka: KafkaSettings, topic: str, warehouse: Warehouse, tmp_path: Path
) -> None:
    """A record of ten megabytes and one that is no JSON wait in quarantine; their neighbours are stored."""
    good = records(20)
    huge = json.dumps(event(99, payload={"turn_id": "t", "turn_index": 0, "message": "x" * 10_000_000})).encode()
    send(kafka.servers, topic, [*good[:10], huge, b"\xff\xfe", *good[10:]], partition=2)

    counts = read(kafka, topic, warehouse)

    assert (counts.stored, counts.quarantined) == (20, 2)
    assert_laws(warehouse, undisturbed(tmp_path / "calm", good), stored=20)


@pytest.mark.parametrize(
    ("limits", "most_rows", "most_megabytes"),
    [(BatchLimits(rows=7), 7, 7), (BatchLimits(bytes=3_000_000), 24, 3), (BatchLimits(seconds=0), 16, 16)],
    ids=["rows", "bytes", "time"],
)
def test_batches_are_bounded(
    kafka: KafkaSettings, topic: str, limits: BatchLimits, most_rows: int, most_megabytes: int
) -> None:
    """By rows, by bytes, and by time; records that were packed a hundred times smaller count as they are unpacked."""
    send(kafka.servers, topic, [b"x" * 1_000_000 for _ in range(24)], partition=0)
    source = KafkaSource(topic, kafka, until_end=True)

    batches = [batch for batch in source.batches({}, limits) if any(part.records for part in batch)]
    source.close()

    sizes = [[len(record) for part in batch for record in part.records] for batch in batches]
    assert sum(map(len, sizes)) == 24
    assert len(batches) > 1
    assert max(map(len, sizes)) <= most_rows
    assert max(map(sum, sizes)) <= most_megabytes * 1_000_000
