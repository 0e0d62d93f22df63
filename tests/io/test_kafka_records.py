"""The walk over kafka-python's record layer gives what the public way gives; a change of its parts is noticed."""

import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of kafka-python's way to read its schemas, at import
    from kafka.consumer.fetcher import Fetcher
    from kafka.errors import CorruptRecordError
    from kafka.record import MemoryRecords, MemoryRecordsBuilder
    from kafka.structs import TopicPartition

from pipelines.io import kafka_records
from pipelines.io.kafka_records import PairRecords, pairs

PLACE = TopicPartition("t", 0)
CODECS = {"none": 0, "gzip": 1, "lz4": 3, "zstd": 4}
Sent = tuple[bytes | None, bytes | None, list[tuple[str, bytes | None]]]


def packed(records: list[Sent], codec: int, first: int = 0) -> bytes:
    """Return a batch of records as it is on the wire."""
    builder = MemoryRecordsBuilder(magic=2, compression_type=codec, batch_size=1 << 20, offset=first)
    for key, value, headers in records:
        assert builder.append(1_700_000_000_000, key, value, headers) is not None
    builder.close()
    return bytes(builder.buffer())


records = st.lists(
    st.tuples(
        st.none() | st.binary(max_size=40),
        st.none() | st.binary(max_size=300),
        st.lists(st.tuples(st.text(max_size=5), st.none() | st.binary(max_size=9)), max_size=3),
    ),
    min_size=1,
    max_size=20,
)


@pytest.mark.property
@given(st.lists(records, min_size=1, max_size=3), st.sampled_from(sorted(CODECS)), st.integers(0, 25))
def test_pairs_are_the_records(batches: list[list[Sent]], codec: str, start: int) -> None:
    """Offsets, values and where to go on are the public way's, from any offset, with any compression."""
    content, first = b"", 0
    for batch in batches:
        content += packed(batch, CODECS[codec], first)
        first += len(batch)

    def fetched(kind: Any) -> Any:
        return kind(start, PLACE, MemoryRecords(content))

    ours, theirs = fetched(PairRecords), fetched(Fetcher.PartitionRecords)
    found, expected = ours.take(7), theirs.take(7)
    assert found == [(each.offset, each.value or b"") for each in expected]
    if found:
        assert ours.next_fetch_offset == theirs.next_fetch_offset
    if ours and theirs:
        found, expected = ours.take(None), theirs.take(None)
        assert found == [(each.offset, each.value or b"") for each in expected]
    assert ours.next_fetch_offset == theirs.next_fetch_offset


@pytest.mark.property
@given(records, st.integers(0, 10_000), st.integers(0, 255))
def test_damage_is_found(batch: list[Sent], place: int, byte: int) -> None:
    """A changed byte behind the checksum is an error, never another record."""
    content = bytearray(packed(batch, CODECS["none"]))
    place = 21 + place % (len(content) - 21)
    if content[place] == byte:
        return
    content[place] = byte
    damaged = PairRecords(0, PLACE, MemoryRecords(bytes(content)))

    with pytest.raises(CorruptRecordError):
        damaged.take(None)


@pytest.mark.property
@given(st.binary(max_size=60), st.integers(1, 5))
def test_nonsense_inside_a_batch_is_an_error_of_its_own(content: bytes, count: int) -> None:
    """Bytes that are no records raise the one error that the caller knows."""
    batch = MemoryRecords(packed([(None, b"x", [])] * count, 0)).next_batch()
    batch._buffer = bytes(batch._buffer[: batch._pos]) + content

    try:
        assert len(list(pairs(batch))) == count
    except CorruptRecordError:
        return


def test_the_parts_of_kafka_python_are_where_they_were() -> None:
    """All that the walk builds on is there; where it is not, `attach` declines and the public way is used."""

    class Other:
        _fetcher = object()

    assert all(hasattr(Fetcher.PartitionRecords, name) for name in kafka_records._OF_RECORDS)
    assert kafka_records.attach(Other()) is False
