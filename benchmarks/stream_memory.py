"""Whether the ingester's memory is flat: it reads turns without end and tells its resident memory on the way.

python -m benchmarks.stream_memory              (400,000 turns, about a minute)
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.stream_traffic import turns
from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits, Position, Stretch


class Endless:
    """Made-up turns, a batch at a time."""

    name = "endless"

    def __init__(self, count: int) -> None:
        self._count = count

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        for first in range(0, self._count, limits.rows):
            end = Position(offset=first + limits.rows)
            offsets = range(first, first + limits.rows)
            yield [Stretch(partition="endless", records=turns(limits.rows, first), offsets=offsets, end=end)]

    def committed(self, stretches: Sequence[Stretch]) -> None:
        return

    def close(self) -> None:
        return


def resident() -> float:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    read = 0

    def tell(counts: Counts) -> None:
        nonlocal read
        read += counts.consumed
        if read % 50_000 == 0:
            print(f"{read:>10,} turns  {resident():,.0f} MB", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "warehouse.duckdb", memory_limit="512MB")
        ingest(Endless(count), warehouse, now=now, on_batch=tell)


if __name__ == "__main__":
    main()
