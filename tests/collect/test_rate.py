"""A key's rate: a bucket that fills with time, whatever the clock does."""

from hypothesis import given
from hypothesis import strategies as st

from pipelines.collect.rate import Rate


def test_what_is_refused_takes_nothing_and_says_when_to_come_back() -> None:
    """After the wait that was told, the request passes."""
    rate = Rate(per_second=10, burst=20)
    assert rate.wait("k", 20, at=0.0) == 0

    wait = rate.wait("k", 5, at=0.0)

    assert wait == 0.5
    assert rate.wait("k", 5, at=wait) == 0
    assert rate.wait("other", 20, at=0.0) == 0


def test_a_request_larger_than_the_burst_passes_when_the_bucket_is_full() -> None:
    """Otherwise it would be refused for ever."""
    rate = Rate(per_second=10, burst=20)

    assert rate.wait("k", 1000, at=0.0) == 0
    assert rate.wait("k", 1, at=0.0) > 0


@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 100)), max_size=20))
def test_a_clock_that_jumps_silences_nobody(moments: list[tuple[float, int]]) -> None:
    """However the clock went, nobody waits longer than a full bucket takes."""
    rate = Rate(per_second=10, burst=20)

    assert all(rate.wait("k", events, at) <= 2.0 for at, events in moments)
