"""The body of a request to records: bounded decompression, then a JSON array or JSON lines; pure."""

import zlib
from dataclasses import dataclass

import msgspec
import zstandard

_STEP = 64 * 1024


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
            return Refusal(status=400, code="malformed", message=f"the body is no JSON array: {error}")
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
            return _inflated(body, at_most)
        case "zstd":
            return _unpacked(body, at_most)
        case other:
            return Refusal(status=415, code="unknown_encoding", message=f"{other!r}; use identity, gzip or zstd")


def _inflated(body: bytes, at_most: int) -> bytes | Refusal:
    parts: list[bytes] = []
    size = 0
    rest = body
    try:
        while rest:  # a gzip file may be several, one after the other
            stream = zlib.decompressobj(wbits=31)
            while not stream.eof:
                part = stream.decompress(rest, _STEP)
                size += len(part)
                if size > at_most:
                    return _too_large(at_most)
                parts.append(part)
                if not part and not stream.unconsumed_tail:
                    break
                rest = stream.unconsumed_tail
            if not stream.eof:
                return Refusal(status=400, code="malformed", message="the gzip stream ends early")
            rest = stream.unused_data
    except zlib.error as error:
        return Refusal(status=400, code="malformed", message=f"no gzip stream: {error}")
    return b"".join(parts)


def _unpacked(body: bytes, at_most: int) -> bytes | Refusal:
    try:
        reader = zstandard.ZstdDecompressor(max_window_size=8 * 1024 * 1024).stream_reader(
            body, read_across_frames=True
        )
        content = reader.read(at_most + 1)
    except zstandard.ZstdError as error:
        return Refusal(status=400, code="malformed", message=f"no zstd stream: {error}")
    return content if len(content) <= at_most else _too_large(at_most)


def _too_large(at_most: int) -> Refusal:
    return Refusal(status=413, code="too_large", message=f"more than {at_most} bytes of content")
