"""What a source of records is: the shape that files, the spool and Kafka share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """How far a partition has been read: the next offset, and a mark that tells whether it is still the same one."""

    offset: int
    mark: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Consecutive records of one partition. `offsets` are where they begin, `end` is the position after the last.

    `end` is None where nothing can be resumed, as with standard input.
    """

    partition: str
    records: Sequence[bytes]
    offsets: Sequence[int]
    end: Position | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLimits:
    """How much one transaction takes at most. A source that never waits knows no `seconds`."""

    rows: int = 10_000
    bytes: int = 32 * 1024 * 1024
    #: how long a batch waits for more once it has a record
    seconds: float = 1.0


class Source(Protocol):
    """Records in order, from the positions that the warehouse knows."""

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        ...

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield batches from `positions` on; an empty batch says that there is nothing at the moment."""
        ...

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Learn that a batch is durable in the warehouse."""
        ...

    def close(self) -> None:
        """Let go of what the source holds."""
        ...
