"""A Kafka topic as a source: all partitions, from the positions that the warehouse knows, halting rather than guessing.

Kafka's own committed offsets are written after the warehouse's commit and for lag tools only; they are never read.
The id of the topic is the mark of a position, asked for again before a batch is handed on: a topic that was deleted and
made anew under the same name is another topic.
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from kafka import TopicPartition
from kafka.errors import KafkaError, LogTruncationError, OffsetOutOfRangeError
from kafka.structs import OffsetAndMetadata

from pipelines.errors import NightcheckError, UsageError
from pipelines.io.kafka_batch import FIRST_GUESS, Gathered
from pipelines.io.kafka_connection import KafkaConnection, KafkaSettings
from pipelines.io.kafka_records import Pair
from schemas.sources import BatchLimits, Position, Stretch

_log = logging.getLogger(__name__)
#: how long a reader waits for records before it says that there are none
_IDLE_SECONDS = 0.25
_GROUP_OFFSETS_SECONDS = 5.0
_AFTER_HALT = ("earliest", "latest")


class HaltedError(NightcheckError):
    """Going on would skip records or read another topic's: a person decides."""

    def __init__(self, partition: str, topic: str, reason: str) -> None:
        super().__init__(
            partition,
            reason,
            f"Decide where to go on: nightcheck ingest kafka --topic {topic} --after-halt earliest (all that is there; "
            "what was stored before is a duplicate) or --after-halt latest (only what comes from now on)",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Instants between which a topic's records are read again; half open."""

    start: datetime
    end: datetime


def partition_name(topic: str, number: int) -> str:
    """Return what a partition is called in the warehouse."""
    return f"kafka:{topic}/{number}"


class KafkaSource:
    """A topic's records. Follows for ever, or with `until_end` up to where the topic ended when it was opened.

    `start` says where a partition begins that was never read; `after_halt` is a person's answer to `HaltedError`.
    """

    def __init__(
        self,
        topic: str,
        settings: KafkaSettings,
        *,
        until_end: bool = False,
        start: str = "earliest",
        after_halt: str | None = None,
        group: str | None = None,
    ) -> None:
        if start not in _AFTER_HALT or after_halt not in (None, *_AFTER_HALT):
            raise UsageError("the start", "it is earliest or latest", "Use one of them")
        self._topic = topic
        self._until_end = until_end
        self._start = start
        self._after_halt = after_halt
        self._group = group
        self._connection = KafkaConnection(topic, settings)
        self._id = ""
        self._typical = float(FIRST_GUESS)
        self._ends: dict[TopicPartition, int] = {}
        self._committed: dict[str, int] = {}
        self._group_written = 0.0

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        return f"kafka:{self._topic}"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield batches bounded by rows, bytes and time; an empty one where there is nothing at the moment."""
        self._id, numbers = self._connection.describe()
        chosen = self._assign(numbers, positions)
        if chosen:
            yield chosen
        looked = time.monotonic()
        while True:
            gathered = Gathered(self._typical)
            began: float | None = None
            while not gathered.full(limits) and (began is None or time.monotonic() - began < limits.seconds):
                found = self._poll(gathered.room(limits))
                if not found:
                    break
                began = began or time.monotonic()
                gathered.add(found)
            self._typical = gathered.typical
            if gathered.rows:
                while not self._is_same_topic():
                    yield ()  # no broker answers; what was gathered waits
                yield self._stretches(gathered)
            if not gathered.full(limits):
                if self._until_end and self._at_end():
                    return
                yield ()
                if time.monotonic() - looked > limits.seconds * 10:
                    looked = time.monotonic()
                    if added := self._take_up_new_partitions():
                        yield added

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Tell Kafka how far the warehouse is, for lag tools; trouble with that is logged and changes nothing."""
        self._committed |= {stretch.partition: stretch.end.offset for stretch in stretches if stretch.end is not None}
        if self._group is None or time.monotonic() - self._group_written < _GROUP_OFFSETS_SECONDS:
            return
        self._group_written = time.monotonic()
        self._write_group_offsets()

    def lag(self) -> int:
        """Return how many records wait in Kafka, as far as the last fetch told."""
        consumer = self._connection.consumer
        waiting = 0
        for place in consumer.assignment():
            high = consumer.highwater(place)
            if high is not None:
                waiting += max(0, high - consumer.position(place))
        return waiting

    def close(self) -> None:
        """Let go of the connection."""
        if self._group is not None and self._committed:
            self._write_group_offsets()
        self._connection.close()

    def _assign(self, numbers: Sequence[int], positions: Mapping[str, Position]) -> list[Stretch]:
        """Read all partitions from here on; return empty stretches for the positions that are not the warehouse's.

        They make a choice (to begin at the end, to go on after a halt) durable before the first record comes.
        """
        consumer = self._connection.consumer
        places = [TopicPartition(self._topic, number) for number in numbers]
        consumer.assign(places)
        first, end = consumer.beginning_offsets(places), consumer.end_offsets(places)
        self._ends = end
        chosen = []
        for place in places:
            partition = partition_name(*place)
            known = positions.get(partition)
            offset = self._where(place, known, first[place], end[place])
            consumer.seek(place, offset)
            here = Position(offset=offset, mark=self._id)
            if here != known:
                chosen.append(Stretch(partition=partition, records=(), offsets=(), end=here))
        return chosen

    def _where(self, place: TopicPartition, known: Position | None, first: int, end: int) -> int:
        if known is None:
            return first if self._start == "earliest" else end
        reason = None
        if known.mark != self._id:
            reason = f"the topic was made anew (it was {known.mark} and is {self._id} now)"
        elif known.offset < first:
            reason = f"{first - known.offset} records after position {known.offset} expired; the first one is {first}"
        elif known.offset > end:
            reason = f"the topic was cut off at {end}, before position {known.offset}"
        if reason is None:
            return known.offset
        if self._after_halt is None:
            raise HaltedError(partition_name(*place), self._topic, reason)
        return first if self._after_halt == "earliest" else end

    def _poll(self, rows: int) -> dict[TopicPartition, list[Pair]]:
        try:
            return self._connection.poll(_IDLE_SECONDS, rows)
        except OffsetOutOfRangeError as error:
            raise HaltedError(self.name, self._topic, f"a position is outside the topic ({error})") from error
        except LogTruncationError as error:
            raise HaltedError(self.name, self._topic, f"records that were read are gone ({error})") from error

    def _is_same_topic(self) -> bool:
        """Whether the topic is the one that was opened; False where nobody can say; `HaltedError` for another."""
        try:
            now, _ = self._connection.describe()
        except KafkaError as error:
            _log.warning("no broker tells whether the topic is the same, waiting: %s", type(error).__name__)
            time.sleep(_IDLE_SECONDS)
            return False
        if now != self._id:
            raise HaltedError(self.name, self._topic, f"the topic was made anew (it was {self._id} and is {now} now)")
        return True

    def _take_up_new_partitions(self) -> list[Stretch]:
        """Read partitions that were added to the topic from their beginning."""
        try:
            _, numbers = self._connection.describe()
        except KafkaError:
            return []  # no broker answers; there will be another time
        consumer = self._connection.consumer
        known = {
            partition_name(*place): Position(offset=consumer.position(place), mark=self._id)
            for place in consumer.assignment()
        }
        names = {partition_name(self._topic, number) for number in numbers}
        if names <= set(known):
            return []
        return self._assign(numbers, dict.fromkeys(names, Position(offset=0, mark=self._id)) | known)

    def _stretches(self, gathered: Gathered) -> list[Stretch]:
        consumer = self._connection.consumer
        return [
            Stretch(
                partition=partition_name(*place),
                records=[value for _, value in found],
                offsets=[offset for offset, _ in found],
                end=Position(offset=consumer.position(place), mark=self._id),
            )
            for place, found in gathered.found.items()
        ]

    def _at_end(self) -> bool:
        return all(self._connection.consumer.position(place) >= end for place, end in self._ends.items())

    def _write_group_offsets(self) -> None:
        offsets = {
            TopicPartition(self._topic, int(partition.rpartition("/")[2])): OffsetAndMetadata(offset, "", -1)
            for partition, offset in self._committed.items()
        }
        try:
            self._connection.admin.alter_group_offsets(self._group, offsets)
        except KafkaError as error:
            _log.warning("the group's offsets were not written, which only lag tools notice: %s", error)


class KafkaReplay:
    """A past stretch of a topic, by the time of its records; reading it moves no position."""

    def __init__(self, topic: str, settings: KafkaSettings, span: Span) -> None:
        self._topic = topic
        self._span = span
        self._connection = KafkaConnection(topic, settings)

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        return f"replay:{self._topic}"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield the records of the span; an empty batch where the broker has nothing to give at the moment."""
        consumer = self._connection.consumer
        _, numbers = self._connection.describe()
        places = [TopicPartition(self._topic, number) for number in numbers]
        until = self._offsets_at(self._span.end, places)
        for place, start in self._offsets_at(self._span.start, places).items():
            end = until[place]
            consumer.assign([place])
            consumer.seek(place, start)
            while consumer.position(place) < end:
                gathered = Gathered(FIRST_GUESS)
                is_silent = False
                while not gathered.full(limits) and not is_silent and consumer.position(place) < end:
                    came = self._connection.poll(_IDLE_SECONDS, gathered.room(limits))
                    is_silent = not came
                    gathered.add(came)
                found = [pair for pair in gathered.found.get(place, []) if pair[0] < end]
                if found:
                    offsets, records = zip(*found, strict=True)
                    yield [Stretch(partition=partition_name(*place), records=records, offsets=offsets, end=None)]
                if is_silent:
                    yield ()  # whoever waits for a broker holds no warehouse, and looks whether to stop

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Nothing to do: no position moves."""

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _offsets_at(self, instant: datetime, places: list[TopicPartition]) -> dict[TopicPartition, int]:
        """Return, by partition, the first offset whose record is from the instant or later, or the end."""
        consumer = self._connection.consumer
        found = consumer.offsets_for_times(dict.fromkeys(places, max(0, int(instant.timestamp() * 1000))))
        ends = consumer.end_offsets(places)
        return {place: ends[place] if found.get(place) is None else found[place].offset for place in places}
