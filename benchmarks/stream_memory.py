"""Whether the ingester's memory is bounded: it reads turns without end and tells its resident memory on the way.

    .venv/bin/python -m benchmarks.stream_memory                                     (400,000 turns, about a minute)
    .venv/bin/python -m benchmarks.stream_memory --turns 4000000 --limit 192MB       (about ten minutes)

One line for each tenth of the turns: the most that was resident in it, and of that what DuckDB counts: rows that no
checkpoint has written yet (they come and go with it) and blocks of the file that it keeps to read them again (they
grow with the file up to its `memory_limit`, and give way there). Arrow's share and Python's blocks are told beside.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from benchmarks.stream_traffic import turns
from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.io.warehouse import Connection, Held, Warehouse
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


class Watch:
    """Tells, for each tenth, what was resident at most and what DuckDB, Arrow and Python held at the end of it."""

    def __init__(self, turns: int) -> None:
        self._step = max(1, turns // 10)
        self._read = self._most = 0.0
        self.connection: Connection | None = None

    def __call__(self, counts: Counts) -> None:
        self._read += counts.consumed
        self._most = max(self._most, resident())
        if self._read % self._step or self.connection is None:
            return
        query = "select tag, memory_usage_bytes / 1e6 from duckdb_memory()"
        held = dict(self.connection.execute(query).fetchall())
        print(
            f"| {self._read:,.0f} | {self._most:,.0f} | {held['IN_MEMORY_TABLE']:,.0f} | {held['BASE_TABLE']:,.0f} |"
            f" {pa.total_allocated_bytes() / 1e6:,.0f} | {sys.getallocatedblocks() / 1e3:,.0f} |",
            flush=True,
        )
        self._most = 0.0


class Watched(Warehouse):
    """A warehouse whose connection the watch may ask."""

    def __init__(self, path: Path, limit: str, watch: Watch) -> None:
        super().__init__(path, memory_limit=limit)
        self._watch = watch

    @contextmanager
    def hold(self, *, threads: int | None = None) -> Iterator[Held]:
        """Open as ever, and show the connection."""
        with super().hold(threads=threads) as held:
            self._watch.connection = held._connection  # noqa: SLF001 - only a look
            yield held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=400_000)
    parser.add_argument("--limit", default="512MB", help="DuckDB's memory_limit")
    chosen = parser.parse_args()
    print("| turns read | resident at most, MB | not yet in the file | blocks kept | Arrow | Python, thousand blocks |")
    print("|---:|---:|---:|---:|---:|---:|")
    watch = Watch(chosen.turns)
    with tempfile.TemporaryDirectory() as folder:
        ingest(Endless(chosen.turns), Watched(Path(folder) / "w.duckdb", chosen.limit, watch), now=now, on_batch=watch)


if __name__ == "__main__":
    main()
