"""Records of a topic while a batch is gathered: how many there are, how large, and how many more to ask for."""

from collections.abc import Mapping

from kafka import TopicPartition

from pipelines.io.kafka_records import Pair
from schemas.sources import BatchLimits

#: records asked of kafka-python at a time at most; a batch's bytes are counted between them
_POLL_RECORDS = 1_000
#: how large a record is taken to be before any came, in bytes
FIRST_GUESS = 4 * 1024 * 1024


class Gathered:
    """Records by partition while a batch is gathered.

    `typical` is how many bytes a record is taken to have: what is small when fetched may be large when unpacked, so no
    more records are asked for than fit by that. It grows at once and shrinks by halves.
    """

    def __init__(self, typical: float) -> None:
        self.found: dict[TopicPartition, list[Pair]] = {}
        self.rows = 0
        self.size = 0
        self.typical = typical

    def add(self, found: Mapping[TopicPartition, list[Pair]]) -> None:
        """Take what a fetch brought."""
        rows, size = self.rows, self.size
        for place, got in found.items():
            self.found.setdefault(place, []).extend(got)
            self.rows += len(got)
            self.size += sum(len(value) for _, value in got)
        if self.rows > rows:
            self.typical = max(1.0, (self.size - size) / (self.rows - rows), self.typical / 2)

    def room(self, limits: BatchLimits) -> int:
        """Return how many records to ask for next."""
        return max(1, min(_POLL_RECORDS, limits.rows - self.rows, int((limits.bytes - self.size) / self.typical)))

    def full(self, limits: BatchLimits) -> bool:
        """Whether the batch has as many rows or bytes as it may."""
        return self.rows >= limits.rows or self.size >= limits.bytes
