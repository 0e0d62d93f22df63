"""The passages of a collection and their file: JSON lines, gzip."""

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One passage that a search may return."""

    passage_id: str
    text: str
    title: str = ""


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(Passage)


def pack(passages: Iterable[Passage]) -> bytes:
    """Return the passages as gzipped JSON lines; equal passages in equal order give equal bytes."""
    return gzip.compress(b"".join(_ENCODER.encode(passage) + b"\n" for passage in passages), compresslevel=6, mtime=0)


def unpack(packed: bytes) -> Iterator[Passage]:
    """Yield the passages of a collection's file in order."""
    for line in gzip.decompress(packed).splitlines():
        yield _DECODER.decode(line)
