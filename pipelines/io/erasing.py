"""The doors that erasure needs: blanking lines of a spool in place, a new copy of the warehouse, looking into files."""

import gzip
import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow.parquet as pq
import zstandard

from pipelines.io.spool import segments
from pipelines.io.warehouse import Warehouse
from schemas import sql

_PIECE = 8 * 1024 * 1024


def blank_lines(spool: Path, is_theirs: Callable[[bytes], bool]) -> int:
    """Overwrite each complete line of a spool that `is_theirs` with spaces, in place; return how many there were.

    Places of other lines don't move, so the positions of readers stay true; a blank line is no record.
    """
    blanked = 0
    for path in segments(spool):
        with path.open("r+b") as file:
            offset = 0
            for line in list(file):
                if line.endswith(b"\n") and line.strip() and is_theirs(line.strip()):
                    file.seek(offset)
                    file.write(b" " * (len(line) - 1))
                    blanked += 1
                offset += len(line)
            file.flush()
            os.fsync(file.fileno())
    return blanked


def copy_anew(warehouse: Warehouse) -> None:
    """Put a fresh copy in the place of the warehouse: what was deleted from it is in no byte of the new file."""
    with warehouse.replace() as (connection, new):
        statements = connection.execute(sql.load("privacy/erase/copy_anew.sql"), {"path": str(new)}).fetchall()
        for (statement,) in statements:
            connection.execute(statement)


def forget_file(path: Path) -> bool:
    """Remove a file; return whether there was one."""
    existed = path.exists()
    path.unlink(missing_ok=True)
    return existed


def files_with(root: Path, patterns: Sequence[bytes]) -> Iterator[tuple[Path, int]]:
    """Yield each file below `root` in which a pattern stands, with the pattern's place in the list.

    gzip and zstd are looked into, Parquet by its rows.
    """
    longest = max(map(len, patterns), default=1)
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        found: set[int] = set()
        with _content(path) as stream:
            tail = b""
            while piece := stream.read(_PIECE):
                window = tail + piece
                found |= {place for place, pattern in enumerate(patterns) if place not in found and pattern in window}
                tail = window[-(longest - 1) :] if longest > 1 else b""
        yield from ((path, place) for place in sorted(found))


def lines_with(path: Path, pattern: bytes) -> Iterator[bytes]:
    """Yield the lines of a file, unpacked as by `files_with`, in which a pattern stands.

    A line of more than 8 MiB comes in pieces, each of them whatever stands in it: the pattern may be cut in two.
    """
    with _content(path) as stream:
        lines = io.BufferedReader(stream)  # type: ignore[type-var]
        while line := lines.readline(_PIECE):
            if pattern in line or len(line) == _PIECE:
                yield line


def _content(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True)
    if path.suffix == ".parquet":
        return io.BytesIO(json.dumps(pq.read_table(path).to_pylist(), default=str, ensure_ascii=False).encode())
    return path.open("rb")
