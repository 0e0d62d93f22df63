"""Files of records as a source: JSON lines, plain, gzip or zstd; folders of them; standard input.

A file is known by its path and by a fingerprint of its beginning: a file that grew is read on from where it was left,
one that was replaced is read from its start.
"""

import gzip
import hashlib
import io
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
        self._stream = stream or sys.stdin.buffer

    @property
    def name(self) -> str:
        """Return what the batches of this source are counted under."""
        return "stdin"

    def batches(self, positions: Mapping[str, Position], limits: BatchLimits) -> Iterator[Sequence[Stretch]]:
        """Yield batches until the input ends."""
        for stretch in _stretches(self._stream, 0, limits, Path("-")):
            yield [Stretch(partition="stdin", records=stretch.records, offsets=stretch.offsets, end=None)]

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

    def full(self, limits: BatchLimits) -> bool:
        return len(self.records) >= limits.rows or self.size >= limits.bytes


def _stretches(
    stream: BinaryIO, start: int, limits: BatchLimits, path: Path, on_unfinished: Callable[[int], None] | None = None
) -> Iterator["_Gathered"]:
    """Yield what `path` holds from `start` on; without `on_unfinished` the last line is a record, whatever it is."""
    offset = start
    gathered = _Gathered(offset)
    try:
        _skip(stream, start)
        while line := stream.readline(_LONGEST_LINE):
            began, offset = offset, offset + len(line)
            if not line.endswith(b"\n"):
                if len(line) == _LONGEST_LINE:
                    offset += _skip_line(stream)
                elif on_unfinished is not None and not _is_whole(line):
                    on_unfinished(len(line))
                    break
            record = line.strip()
            if record:
                gathered.records.append(record)
                gathered.offsets.append(began)
                gathered.size += len(record)
            gathered.end = Position(offset=offset)
            if gathered.full(limits):
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
    """Whether nothing can follow on this line but the next record: it is JSON, and no number that may go on."""
    text = line.strip()
    try:
        msgspec.json.decode(text or b"null", type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return not text[-1:].isdigit()


def _skip_line(stream: BinaryIO) -> int:
    """Pass over the rest of an over-long line; return how many bytes that were."""
    passed = 0
    while rest := stream.readline(_LONGEST_LINE):
        passed += len(rest)
        if rest.endswith(b"\n"):
            break
    return passed


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
