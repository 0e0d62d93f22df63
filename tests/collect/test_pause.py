"""The pause recovers from whatever was stored and from clocks that jump."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.collect.pause import LONGEST_SECONDS, Pause

WALL = 1_800_000_000.0


def test_a_pause_is_kept_over_a_restart() -> None:
    """What is left of a pause is left after a restart, on another monotonic clock."""
    pause = Pause()
    pause.ask(30, at=1000.0)

    restored = Pause.restored(pause.stored(1010.0, WALL), at=5.0, wall=WALL + 4)

    assert restored.left(5.0) == pytest.approx(16)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\x00",
        b'{"until": "tomorrow"}',
        b'{"until": NaN}',
        b'{"until": Infinity}',
        b'{"until": 1e999}',
        b'{"until": true}',
        b'{"until": ' + b"9" * 400 + b"}",
        json.dumps({"until": WALL + 10 * 365 * 86400}).encode(),
        json.dumps({"until": -WALL}).encode(),
        b"[" * 100_000,
    ],
)
def test_poisoned_state_is_no_pause(content: bytes) -> None:
    """Damaged, absurd, and from a clock that was years ahead: sending goes on at once."""
    assert Pause.restored(content, at=0.0, wall=WALL).left(0.0) == 0


@given(st.binary(max_size=60) | st.floats().map(lambda value: json.dumps({"until": value}).encode()), st.floats())
def test_no_state_silences_for_longer_than_the_limit(content: bytes, wall: float) -> None:
    """Whatever is stored and whatever the wall clock says, the pause ends within the limit."""
    left = Pause.restored(content, at=100.0, wall=wall).left(100.0)

    assert 0 <= left <= LONGEST_SECONDS


@given(st.floats(), st.floats(0, 1e9))
def test_no_answer_of_a_collector_silences_for_longer_than_the_limit(seconds: float, at: float) -> None:
    """A collector that asks for a year gets a minute; nonsense gets a second."""
    pause = Pause()

    pause.ask(seconds, at)

    assert 0 < pause.left(at) <= LONGEST_SECONDS
    assert math.isfinite(pause.left(at))


def test_a_clock_that_goes_back_does_not_prolong_a_pause() -> None:
    """Even a broken monotonic clock cannot silence a client for longer than the limit."""
    pause = Pause()
    pause.ask(10, at=1e9)

    assert pause.left(0.0) <= LONGEST_SECONDS
