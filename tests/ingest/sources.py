"""A source for tests: records in memory, with positions, that can fall over between two batches."""

from collections.abc import Iterator, Mapping, Sequence

from schemas.sources import BatchLimits, Position, Stretch


class CrashError(Exception):
    """The process died here."""


#: in a list of records: the process dies when it is reached
CRASH = object()


class Records:
    """Records of one partition; reading goes on from the position that the warehouse knows."""

    def __init__(self, records: Sequence[bytes | object], partition: str = "memory") -> None:
        self._records = records
        self._partition = partition
        self.committed_batches = 0

    @property
    def name(self) -> str:
        """Return what the batches are counted under."""
        return "memory"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield batches; a crash comes after the batches before it and before those behind it."""
        known = positions.get(self._partition)
        place = known.offset if known else 0
        while place < len(self._records):
            if self._records[place] is CRASH:
                raise CrashError
            records: list[bytes] = []
            offsets: list[int] = []
            while place < len(self._records) and len(records) < limits.rows:
                record = self._records[place]
                if not isinstance(record, bytes):
                    break
                records.append(record)
                offsets.append(place)
                place += 1
            yield [Stretch(partition=self._partition, records=records, offsets=offsets, end=Position(offset=place))]

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Count."""
        self.committed_batches += 1

    def close(self) -> None:
        """Nothing to do."""
