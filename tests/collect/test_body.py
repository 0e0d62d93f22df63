"""Compressed bodies: any number of pieces up to a limit, the last one whole, and no more memory than is allowed."""

import gzip
from collections.abc import Callable

import pytest
import zstandard

from pipelines.collect.body import Refusal, content_of

Pack = Callable[[bytes], bytes]
PACKERS: list[tuple[str, Pack]] = [("gzip", gzip.compress), ("zstd", zstandard.compress)]


@pytest.mark.parametrize(("encoding", "pack"), PACKERS)
def test_pieces_that_follow_each_other_are_one_content(encoding: str, pack: Pack) -> None:
    """Programs that append compress each piece alone; an empty one adds nothing."""
    body = pack(b'{"a":') + pack(b"") + pack(b" " * 100_000) + pack(b"1}")

    assert content_of(body, encoding, 200_000) == b'{"a":' + b" " * 100_000 + b"1}"


@pytest.mark.parametrize(("encoding", "pack"), PACKERS)
def test_a_body_that_ends_within_a_piece_is_no_body(encoding: str, pack: Pack) -> None:
    """Wherever it was cut off but between two pieces, what is left is not taken for the whole."""
    first, second = pack(b'{"a": 1}\n'), pack(b'{"b": 2}\n')
    body = first + second

    refused = [
        isinstance(content_of(body[:length], encoding, 1000), Refusal) for length in range(len(first), len(body) + 1)
    ]

    assert refused == [False] + [True] * (len(second) - 1) + [False]


@pytest.mark.parametrize(("encoding", "pack"), PACKERS)
def test_a_body_of_very_many_pieces_is_refused(encoding: str, pack: Pack) -> None:
    """Pieces of nothing cost time and bring nothing: there is a number of them, and one more is too many."""
    at_most = content_of(pack(b"") * 10_000, encoding, 1000)
    too_many = content_of(pack(b"") * 10_001, encoding, 1000)

    assert at_most == b""
    assert isinstance(too_many, Refusal)
    assert (too_many.status, too_many.code) == (400, "malformed")
