"""kafka-python's record layer, walked a batch at a time: offsets and values, and nothing built that nobody reads.

`KafkaConsumer.poll` makes two objects of some twenty fields for every record; here a record is a pair. The class takes
the place of `Fetcher.PartitionRecords` in one consumer. That is private to kafka-python, so `attach` looks at the parts
that it builds on and declines where they are not there; the caller then goes on with the public way.
"""

from collections.abc import Iterator
from typing import Any

from kafka import KafkaConsumer
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError
from kafka.protocol.consumer import IsolationLevel
from kafka.record.default_records import DefaultRecordBatch

#: offset and value; a record without a value is an empty one
Pair = tuple[int, bytes]
_OF_RECORDS = (
    "_unpack_records",
    "_maybe_skip_record",
    "_consume_aborted_transactions_up_to",
    "_contains_abort_marker",
    "_is_batch_aborted",
    "drain",
    "take",
)
_OF_BATCH = ("_maybe_uncompress", "base_offset", "records_count", "next_offset", "last_offset", "is_control_batch")


def attach(consumer: KafkaConsumer) -> bool:
    """Make `poll` of this one consumer return pairs; False where this version of kafka-python is built otherwise."""
    fetcher = getattr(consumer, "_fetcher", None)
    fits = (
        all(hasattr(Fetcher.PartitionRecords, name) for name in _OF_RECORDS)
        and all(hasattr(DefaultRecordBatch, name) for name in _OF_BATCH)
        and "_buffer" in getattr(DefaultRecordBatch, "__slots__", ())
    )
    if not isinstance(fetcher, Fetcher) or not fits:
        return False
    fetcher.PartitionRecords = PairRecords
    return True


class PairRecords(Fetcher.PartitionRecords):  # type: ignore[misc]
    """The records of one fetched partition, as pairs."""

    def _maybe_skip_record(self, record: Any) -> bool:
        return bool(record[0] < self.fetch_offset)

    def _unpack_records(self, tp: Any, records: Any, key_deserializer: Any, value_deserializer: Any) -> Iterator[Pair]:
        last = None
        while (batch := records.next_batch()) is not None:
            last = batch
            if self.check_crcs and not batch.validate_crc():
                raise CorruptRecordError(f"{tp}: the batch at offset {batch.base_offset} fails its CRC check")
            if batch.magic != 2:
                yield from self._counted((record.offset, record.value or b"") for record in batch)
                continue
            self.leader_epoch = batch.leader_epoch
            if self._is_hidden(batch):
                self.next_fetch_offset = batch.next_offset
                continue
            yield from self._counted(pairs(batch))
            self.bytes_read += batch.size_in_bytes
        if last is not None and last.magic == 2:
            # the last offset of a batch stays when compaction takes its record out; without this it is fetched for ever
            self.next_fetch_offset = last.next_offset
        self.drain()

    def _counted(self, found: Iterator[Pair]) -> Iterator[Pair]:
        for pair in found:
            self.records_read += 1
            self.next_fetch_offset = pair[0] + 1
            yield pair

    def _is_hidden(self, batch: Any) -> bool:
        """Whether the batch is a marker, or belongs to a transaction that was given up."""
        if self.isolation_level == IsolationLevel.READ_COMMITTED and batch.has_producer_id():
            self._consume_aborted_transactions_up_to(batch.last_offset)
            if self._contains_abort_marker(batch):
                self.aborted_producer_ids.discard(batch.producer_id)
            elif self._is_batch_aborted(batch):
                return True
        return bool(batch.is_control_batch)


def pairs(batch: DefaultRecordBatch) -> Iterator[Pair]:
    """Yield offset and value of each record of a batch in format 2, whose CRC has been checked.

    A record is: length, attributes (a byte), time, offset, key, value, headers; numbers are zigzag varints. The length
    leads to the next record, so the headers are passed over unread. Raises `CorruptRecordError` where it does not fit.
    """
    batch._maybe_uncompress()  # noqa: SLF001 - the one place that knows this layer
    buffer = bytes(batch._buffer)  # noqa: SLF001
    base, place = batch.base_offset, batch._pos  # noqa: SLF001
    try:
        for _ in range(batch.records_count):
            length, place = _varint(buffer, place)
            end = place + length
            place += 1
            while buffer[place] & 0x80:
                place += 1
            delta, place = _varint(buffer, place + 1)
            size, place = _varint(buffer, place)
            if size > 0:
                place += size
            size, place = _varint(buffer, place)
            if length < 0 or place + max(size, 0) > end or end > len(buffer):
                raise CorruptRecordError(f"a record of the batch at offset {base} is longer than it says")
            yield base + delta, buffer[place : place + size] if size > 0 else b""
            place = end
    except IndexError as error:
        raise CorruptRecordError(f"the batch at offset {base} ends within a record") from error
    if place != len(buffer):
        raise CorruptRecordError(f"the batch at offset {base} has {len(buffer) - place} bytes too many")


def _varint(buffer: bytes, place: int) -> tuple[int, int]:
    byte = buffer[place]
    place += 1
    value = byte & 0x7F
    shift = 7
    while byte & 0x80:
        byte = buffer[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
    return (value >> 1) ^ -(value & 1), place
