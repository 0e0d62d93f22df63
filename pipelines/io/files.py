"""Files of records as a source: JSON lines, plain, gzip or zstd; folders of them; standard input.

A file is known by its path and by a fingerprint of its beginning: a file that grew is read on from where it was left,
one that was replaced is read from its start.
"""

import gzip
import hashlib
import io
import os
import select
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
import zstandard

from pipelines.errors import NightcheckError, UsageError
from pipelines.io.zstd_frames import ZstdFrames
from schemas.sources import BatchLimits, Position, Stretch

_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")
_FINGERPRINT_BYTES = 64 * 1024
#: a line is kept up to here; the decoder's own limit is lower, so that what is cut is always rejected as too large
_LONGEST_LINE = 16 * 1024 * 1024
#: how long a pipe is waited for before what came so far is handed on
_PAUSE_SECONDS = 0.25


class BrokenFileError(NightcheckError):
    """A compressed file ends early or is damaged; what came before the damage has been read."""

    def __init__(self, path: Path, offset: int, reason: str) -> None:
        if offset == 0:
            super().__init__(
                str(path),
                f"cannot be unpacked as its name says ({reason})",
                "Name it after what it is, or fetch it again",
            )
            return
        super().__init__(
            str(path),
            f"damaged after byte {offset} of its content ({reason}); the records before it were read",
            "Fetch the file again and ingest it: what was read already is recognised",
        )


def find_files(path: Path) -> list[Path]:
    """Return the files that `path` means: itself, or in a folder every file of JSON lines, sorted by path.

    Raises `UsageError` where there is none.
    """
    if path.is_file():
        return [path]
    if not path.exists():
        raise UsageError(str(path), "there is no such file or folder", "Name a file, a folder, - or spool")
    if not path.is_dir():
        raise UsageError(
            str(path), "is neither a file nor a folder", "Send what comes out of it to standard input, as -"
        )
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(_SUFFIXES))
    if not files:
        raise UsageError(str(path), "holds no file of records", f"Their names end in one of {', '.join(_SUFFIXES)}")
    return files


def _ignore(_file: Path, _size: int) -> None:
    return


class FileSource:
    """Records of files, one a line; blank lines are no records.

    A last line without a line feed is a record where it is whole JSON. Where it is not, someone may still be writing
    it: it is not read before there is more, and `on_unfinished` gets the file and how many bytes wait.
    """

    def __init__(self, files: Sequence[Path], on_unfinished: Callable[[Path, int], None] = _ignore) -> None:
        self._files = files
        self._on_unfinished = on_unfinished

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        return "files"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield batches of one file at a time, from where the warehouse left it."""
        for file in self._files:
            partition = f"file:{file.resolve()}"
            mark_of_all = _fingerprint(file, None)
            known = positions.get(partition)
            start = 0
            if known is not None and known.mark == _fingerprint(file, known.offset):
                start = known.offset
            with _open(file) as stream:
                for stretch in _stretches(stream, start, limits, file, partial(self._on_unfinished, file)):
                    yield [
                        Stretch(
                            partition=partition,
                            records=stretch.records,
                            offsets=stretch.offsets,
                            end=Position(offset=stretch.end.offset, mark=_mark(mark_of_all, file, stretch.end.offset)),
                        )
                    ]

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Nothing to do: files stay as they are."""

    def close(self) -> None:
        """Nothing to do: a file is closed when its last batch was taken."""


class StandardInput:
    """Records from standard input; there is nothing to resume, and what was stored before is a duplicate."""

    def __init__(self, stream: BinaryIO | None = None) -> None:
        self._stream = _as_it_comes(stream or sys.stdin.buffer)

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        return "stdin"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield batches until the input ends; what there is where its writer pauses, and then an empty one."""
        for stretch in _stretches(self._stream, 0, limits, Path("-")):
            if stretch.records:
                yield [Stretch(partition="stdin", records=stretch.records, offsets=stretch.offsets, end=None)]
            if stretch.is_paused:
                yield ()  # whoever waits for a writer holds no warehouse, and looks whether to stop

    def committed(self, stretches: Sequence[Stretch]) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do: the stream is not ours."""


class _Gathered:
    """Records while they are gathered for one batch."""

    def __init__(self, end: int) -> None:
        self.records: list[bytes] = []
        self.offsets: list[int] = []
        self.size = 0
        self.end = Position(offset=end)
        self.is_paused = False

    def add(self, record: bytes, offset: int) -> None:
        self.records.append(record)
        self.offsets.append(offset)
        self.size += len(record)

    def full(self, limits: BatchLimits) -> bool:
        return len(self.records) >= limits.rows or self.size >= limits.bytes


class _AsItComes:
    """Lines of a pipe or a terminal: None where nothing comes for a while. A line that is half there is waited for."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._rest = bytearray()
        self._looked = 0

    def readline(self, limit: int) -> bytes | None:
        """Return a line, at most so many bytes of it; nothing at the end."""
        while (end := self._rest.find(b"\n", self._looked, limit)) < 0 and len(self._rest) < limit:
            self._looked = len(self._rest)
            if not select.select([self._number], [], [], _PAUSE_SECONDS)[0]:
                return None
            came = os.read(self._number, 1 << 20)
            if not came:
                break
            self._rest += came
        self._looked = 0
        length = min(limit, len(self._rest)) if end < 0 else end + 1
        line = bytes(self._rest[:length])
        del self._rest[:length]
        return line


def _as_it_comes(stream: BinaryIO) -> "BinaryIO | _AsItComes":
    try:
        return _AsItComes(stream.fileno())
    except OSError:
        return stream  # of no file, so it is in memory and all there


def _stretches(
    stream: "BinaryIO | _AsItComes",
    start: int,
    limits: BatchLimits,
    path: Path,
    on_unfinished: Callable[[int], None] | None = None,
) -> Iterator["_Gathered"]:
    """Yield what `path` holds from `start` on; without `on_unfinished` the last line is a record, whatever it is."""
    offset = start
    gathered = _Gathered(offset)
    is_rest = False  # of a line that is too long
    try:
        if not isinstance(stream, _AsItComes):
            _skip(stream, start)
        while (line := stream.readline(_LONGEST_LINE)) != b"":
            if line is not None:
                if on_unfinished is not None and not (is_rest or _is_whole(line)):
                    on_unfinished(len(line))
                    break
                record = b"" if is_rest else line.strip()
                if record:
                    gathered.add(record, offset)
                offset += len(line)
                is_rest = not line.endswith(b"\n") and (is_rest or len(line) == _LONGEST_LINE)
                gathered.end = Position(offset=offset)
            gathered.is_paused = line is None
            if gathered.is_paused or (gathered.full(limits) and not is_rest):  # a position is the end of a line
                yield gathered
                gathered = _Gathered(offset)
    except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile) as error:
        if gathered.records:
            yield gathered
        raise BrokenFileError(path, offset, str(error)) from error
    if gathered.records or gathered.end.offset > start:
        yield gathered


def _open(path: Path) -> BinaryIO:
    if path.name.endswith(".gz"):
        return cast("BinaryIO", gzip.open(path, "rb"))
    if path.name.endswith(".zst"):
        return cast("BinaryIO", io.BufferedReader(ZstdFrames(path.open("rb", buffering=1 << 20)), 1 << 20))
    return path.open("rb", buffering=1 << 20)


def _skip(stream: BinaryIO, count: int) -> None:
    """Pass over what was read before; seeking in a compressed stream is no faster."""
    if count and stream.seekable() and not isinstance(stream, gzip.GzipFile | io.BytesIO):
        stream.seek(count)
        return
    while count > 0:
        passed = len(stream.read(min(count, 1 << 20)))
        if passed == 0:
            return
        count -= passed


def _is_whole(line: bytes) -> bool:
    """Whether no more is to be waited for: the line has ended, is too long anyway, or is JSON and no number."""
    if line.endswith(b"\n") or len(line) == _LONGEST_LINE:
        return True
    text = line.strip()
    try:
        msgspec.json.decode(text or b"null", type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return not text[-1:].isdigit()


def _fingerprint(path: Path, upto: int | None) -> str:
    """Return a digest of the first bytes of the content, at most `upto` of them."""
    length = _FINGERPRINT_BYTES if upto is None else min(upto, _FINGERPRINT_BYTES)
    try:
        with _open(path) as stream:
            return hashlib.sha256(stream.read(length)).hexdigest()
    except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile):
        return "damaged"


def _mark(mark_of_all: str, path: Path, offset: int) -> str:
    return mark_of_all if offset >= _FINGERPRINT_BYTES else _fingerprint(path, offset)
