"""What a batch needed is given back: an ingester that runs for weeks holds no more than one that runs for a minute."""

import gc
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits, Position, Stretch
from tests.streaming.traffic import records

POISON = [b"{", b"\xff\xfe", b"[" * 200, b'{"event_type":"turn"}', b'{"event_type":"turn","payload":"\\ud800"}']


class Knot:
    """A cycle, as a client that keeps the error of a poll in its own frame leaves one."""

    def __init__(self) -> None:
        self.itself = self


class Cyclic:
    """A source that leaves a cycle behind at each look, most of which find nothing."""

    name = "cyclic"

    def __init__(self, looks: int) -> None:
        self._looks = looks
        self._left: list[weakref.ref[Knot]] = []
        self.most = 0

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield a batch now and then."""
        for look in range(self._looks):
            self._left = [each for each in self._left if each() is not None]
            self.most = max(self.most, len(self._left))
            self._left.append(weakref.ref(Knot()))
            one = Stretch(partition="p", records=records(1, look), offsets=[look], end=Position(offset=look + 1))
            yield () if look % 100 else [one]

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


def test_cycles_that_a_source_leaves_are_collected(tmp_path: Path) -> None:
    """A follower that mostly waits does not grow by what its client leaves behind; the collector is as it was."""
    source = Cyclic(200)
    gc.disable()  # as it is found, so it is left
    try:
        ingest(source, Warehouse(tmp_path / "warehouse.duckdb"), now=now)
        assert not gc.isenabled()
    finally:
        gc.enable()

    assert source.most <= 100
    assert gc.get_freeze_count() == 0


class Steady:
    """Batches of equal size, with broken records in each."""

    name = "steady"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield thirty batches."""
        for number in range(30):
            made = [*records(100, number * 100), *POISON]
            offsets = range(number * len(made), (number + 1) * len(made))
            yield [Stretch(partition="p", records=made, offsets=offsets, end=Position(offset=offsets.stop))]

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


def test_no_batch_leaves_anything_in_memory(tmp_path: Path) -> None:
    """Objects of Python and bytes of Arrow are as many after thirty batches as after ten."""
    held: list[tuple[int, int]] = []

    def look(_counts: Counts) -> None:
        held.append((sys.getallocatedblocks(), pa.total_allocated_bytes()))

    ingest(Steady(), Warehouse(tmp_path / "warehouse.duckdb"), now=now, on_batch=look)

    objects, arrow = zip(*held, strict=True)
    assert max(objects[20:]) - max(objects[5:10]) < 2_000  # a batch has some thousands
    assert max(arrow[20:]) <= max(arrow[5:10]) * 1.05
