"""The body of a request to records: bounded decompression, then a JSON array or JSON lines; pure."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec
import zstandard

#: bytes that are unpacked at once; at the most that a format allows, zstd makes 16 MiB of them, gzip half of one
_STEP = 512
#: gzip members or zstd frames in one body, twice the events that it may hold
_PIECES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimits:
    """How much one request may bring."""

    body_bytes: int = 8 * 1024 * 1024
    content_bytes: int = 32 * 1024 * 1024
    events: int = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a request as a whole is refused: an HTTP status, a code that stays, and words."""

    status: int
    code: str
    message: str


class _Piece(Protocol):
    """A gzip member or a zstd frame while it is unpacked."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


_array = msgspec.json.Decoder(list[msgspec.Raw])


def records_of(body: bytes, encoding: str, limits: BodyLimits) -> list[bytes] | Refusal:
    """Return the records of a body, or why there are none; never holds more than the limits in memory."""
    content = content_of(body, encoding, limits.content_bytes)
    if isinstance(content, Refusal):
        return content
    if content.lstrip(b" \t\r\n")[:1] == b"[":
        try:
            records = [bytes(raw) for raw in _array.decode(content)]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return _malformed(f"the body is no JSON array: {error}")
    else:
        records = [line for line in map(bytes.strip, content.split(b"\n")) if line]
    if len(records) > limits.events:
        return Refusal(status=413, code="too_many_events", message=f"{len(records)} events, at most {limits.events}")
    return records


def content_of(body: bytes, encoding: str, at_most: int) -> bytes | Refusal:
    """Return the decompressed body, or a refusal as soon as it grows beyond `at_most` bytes."""
    match encoding.strip().lower():
        case "" | "identity":
            return body if len(body) <= at_most else _too_large(at_most)
        case "gzip":
            return _unpacked(body, at_most, _gzip_member)
        case "zstd":
            return _unpacked(body, at_most, _zstd_frame)
        case other:
            return Refusal(status=415, code="unknown_encoding", message=f"{other!r}; use identity, gzip or zstd")


def _unpacked(body: bytes, at_most: int, piece: Callable[[], _Piece]) -> bytes | Refusal:
    """Unpack piece after piece: a compressed file may be several, one behind the other."""
    parts: list[bytes] = []
    size = place = pieces = 0
    stream: _Piece | None = None
    try:
        while place < len(body):
            if stream is None:
                pieces += 1
                if pieces > _PIECES:
                    return _malformed(f"more than {_PIECES} compressed pieces")
                stream = piece()
            step = body[place : place + _STEP]
            part = stream.decompress(step)
            size += len(part)
            if size > at_most:
                return _too_large(at_most)
            parts.append(part)
            place += len(step)
            if stream.eof:
                place -= len(stream.unused_data)
                stream = None
    except (zlib.error, zstandard.ZstdError) as error:
        return _malformed(f"it cannot be unpacked as its encoding says: {error}")
    return b"".join(parts) if stream is None else _malformed("the compressed stream ends early")


def _gzip_member() -> _Piece:
    return zlib.decompressobj(wbits=31)


def _zstd_frame() -> _Piece:
    return zstandard.ZstdDecompressor(max_window_size=8 * 1024 * 1024).decompressobj()


def _malformed(message: str) -> Refusal:
    return Refusal(status=400, code="malformed", message=message)


def _too_large(at_most: int) -> Refusal:
    return Refusal(status=413, code="too_large", message=f"more than {at_most} bytes of content")
