"""The spool: a durable folder of append-only segments of JSON lines, for one machine without a broker.

One process appends; another reads, and resumes by the position in the segment that the warehouse knows. A line is a
record once its line feed is there. A segment that a crash left with a torn last line is never appended to again; the
torn line, whose writer was never told that it was stored, is handed on as a record and ends in quarantine.
"""

import fcntl
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from pipelines.errors import NightcheckError
from pipelines.io.folders import sync
from schemas.sources import BatchLimits, Position, Stretch

_SEGMENT_BYTES = 64 * 1024 * 1024
#: how often a follower looks; each look that finds something is a transaction
_LOOK_AGAIN_SECONDS = 1.0


class SpoolTakenError(NightcheckError):
    """Two writers would tear each other's lines."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), "another process writes to this spool", "Give each collector a folder of its own")


class SpoolWriter:
    """Appends records; `append` returns when they are on the disk, or raises and has added nothing."""

    def __init__(self, folder: Path, segment_bytes: int = _SEGMENT_BYTES) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._segment_bytes = segment_bytes
        self._lock = (folder / "lock").open("a")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise SpoolTakenError(folder) from None
        self._file: FileIO | None = None
        self._good = 0

    def append(self, records: Sequence[bytes]) -> None:
        """Write the records and wait for the disk."""
        file = self._segment()
        # a line feed in JSON is white space between tokens (inside a text it is escaped), so a space says the same
        block = b"".join(record.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n" for record in records)
        try:
            view = memoryview(block)
            while view:
                view = view[file.write(view) :]
            os.fsync(file.fileno())
        except OSError:
            self._undo(file)
            raise
        self._good += len(block)

    def close(self) -> None:
        """Close the segment and let another writer in."""
        if self._file is not None:
            self._file.close()
        self._lock.close()

    def __enter__(self) -> Self:
        """Return the writer itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _segment(self) -> FileIO:
        if self._file is not None and self._good < self._segment_bytes:
            return self._file
        if self._file is not None:
            self._file.close()
        present = segments(self._folder)
        path = self._folder / f"{1 + (int(present[-1].stem) if present else 0):020d}.jsonl"
        # unbuffered: a failed write must not leave bytes behind that a later flush would add
        self._file = FileIO(path, "xb")
        self._good = 0
        sync(self._folder)
        return self._file

    def _undo(self, file: FileIO) -> None:
        """Cut off what a failed write left; where even that fails, leave the segment for good."""
        try:
            os.ftruncate(file.fileno(), self._good)
            file.seek(self._good)  # or the next record would begin behind a hole of zeros
        except OSError:
            self._good = self._segment_bytes


class SpoolSource:
    """The records of a spool, segment by segment: what is there and complete, or with `follow` what comes for ever."""

    def __init__(self, folder: Path, *, follow: bool = False) -> None:
        self._folder = folder
        self._follow = follow

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        return "spool"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield what is there; then end, or an empty batch and again what is there by then."""
        read = {partition: position.offset for partition, position in positions.items()}
        finished: set[Path] = set()
        while True:
            present = segments(self._folder)
            for path in present:
                if path in finished:
                    continue
                partition, is_last = f"spool:{path.resolve()}", path == present[-1]
                for stretch in self._read(path, partition, read.get(partition, 0), limits, is_last=is_last):
                    yield [stretch]
                    if stretch.end is not None:
                        read[partition] = stretch.end.offset
                if not is_last:
                    finished.add(path)
            if not self._follow:
                return
            yield ()
            time.sleep(_LOOK_AGAIN_SECONDS)  # asked again, so nobody holds the warehouse

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Nothing to do: segments stay until they are removed by hand or by policy."""

    def close(self) -> None:
        """Nothing to do: a segment is closed when its last batch was taken."""

    def _read(self, path: Path, partition: str, start: int, limits: BatchLimits, *, is_last: bool) -> Iterator[Stretch]:
        records: list[bytes] = []
        offsets: list[int] = []
        offset, size = start, 0
        with path.open("rb") as file:
            file.seek(start)
            for line in file:
                if is_last and not line.endswith(b"\n"):
                    break  # still being written
                if line.strip():
                    records.append(line.strip())
                    offsets.append(offset)
                    size += len(line)
                offset += len(line)
                if len(records) >= limits.rows or size >= limits.bytes:
                    yield _stretch(partition, records, offsets, offset)
                    records, offsets, size = [], [], 0
        if records:
            yield _stretch(partition, records, offsets, offset)


def segments(folder: Path) -> list[Path]:
    """Return the segments of a spool in the order in which they were written."""
    return sorted(folder.glob("[0-9]*.jsonl"))


def _stretch(partition: str, records: list[bytes], offsets: list[int], end: int) -> Stretch:
    return Stretch(partition=partition, records=records, offsets=offsets, end=Position(offset=end))
