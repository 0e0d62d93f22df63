"""How fast the judge asks: limits per minute are kept, the limit on calls at once is found."""

import asyncio

import pytest

from pipelines.judging.order import in_fair_order
from pipelines.judging.pace import Limits, Pace
from tests.judging.build import Clock, a_retrieval


def starts_of(limits: Limits, calls: int, tokens: float = 100.0, used: float = 100.0) -> list[float]:
    """Return when each of many calls that end at once was let through."""
    clock = Clock()
    pace = Pace(limits, monotonic=clock.monotonic, sleep=clock.sleep)
    starts: list[float] = []

    async def one() -> None:
        async with pace.call(tokens) as call:
            starts.append(clock.time)
            call.went_well(used)

    async def run() -> None:
        await asyncio.gather(*[one() for _ in range(calls)])

    asyncio.run(run())
    return starts


@pytest.mark.parametrize("per_minute", [6.0, 60.0, 600.0])
def test_no_window_holds_more_calls_than_the_limit_and_half_a_second(per_minute: float) -> None:
    """Calls are spread over the minute instead of sent in a burst, and none is held back longer than the limit asks."""
    starts = starts_of(Limits(requests_per_minute=per_minute), 100)

    burst = max(1.0, per_minute / 120)
    for first, start in enumerate(starts):
        for last in range(first, len(starts)):
            allowed = (starts[last] - start) * per_minute / 60 + burst
            assert last - first + 1 <= allowed + 1e-6
    assert starts[-1] <= (100 - burst) * 60 / per_minute + 1e-6


def test_tokens_are_settled_by_what_was_used() -> None:
    """Calls that use half of what was expected go twice as fast in the end."""
    expected = starts_of(Limits(tokens_per_minute=6_000), 100)
    halved = starts_of(Limits(tokens_per_minute=6_000), 100, used=50.0)

    assert expected[-1] == pytest.approx(100, rel=0.05)
    assert halved[-1] == pytest.approx(50, rel=0.05)


def test_a_call_larger_than_the_burst_still_goes_out() -> None:
    """One call may need more tokens than half a second allows; it goes and is paid off before the next."""
    starts = starts_of(Limits(tokens_per_minute=600), 3, tokens=1_000.0, used=1_000.0)

    assert starts == pytest.approx([0.0, 100.0, 200.0], abs=1.0)


def test_the_number_at_once_settles_just_below_what_the_endpoint_bears() -> None:
    """Against an endpoint that bears ten calls at once, the pace ends at about ten and is rarely refused."""
    clock = Clock()
    pace = Pace(Limits(most_at_once=64), monotonic=clock.monotonic, sleep=clock.sleep)
    under_way = 0
    refused: list[bool] = []
    at_once: list[int] = []

    async def one() -> None:
        nonlocal under_way
        async with pace.call(1.0) as call:
            under_way += 1
            too_much = under_way > 10
            at_once.append(under_way)
            await clock.sleep(0.01)
            for _ in range(20):
                await asyncio.sleep(0)
            under_way -= 1
            refused.append(too_much)
            if too_much:
                call.was_too_much()
            else:
                call.went_well(1.0)

    async def run() -> None:
        await asyncio.gather(*[one() for _ in range(2_000)])

    asyncio.run(run())

    late = at_once[1_000:]
    assert sum(late) / len(late) > 9
    assert sum(refused[1_000:]) < 60
    assert 8 <= pace.allowed <= 11


def test_several_refusals_of_one_moment_shrink_the_pace_once() -> None:
    """Calls that were under way together are refused together; that says one thing, not many."""
    clock = Clock()
    pace = Pace(Limits(), monotonic=clock.monotonic, sleep=clock.sleep)

    clock.time = 1.0
    for _ in range(4):
        pace.was_too_much(started=0.5)
    once = pace.allowed
    clock.time = 3.0
    pace.was_too_much(started=2.0)

    assert once == 14
    assert pace.allowed == 12


def test_strata_are_interleaved_in_proportion() -> None:
    """At any point of the order each stratum has had its share, within one."""
    sizes = {"x": 40, "y": 10, "z": 1}
    retrievals = [
        a_retrieval("t", retrieval_id=f"{stratum}-{n}", stratum=stratum)
        for stratum, size in sizes.items()
        for n in range(size)
    ]

    ordered = in_fair_order(retrievals)

    assert sorted(r.retrieval_id for r in ordered) == sorted(r.retrieval_id for r in retrievals)
    for stop in range(len(ordered)):
        for stratum, size in sizes.items():
            done = [r.retrieval_id for r in ordered[:stop] if r.stratum == stratum]
            assert abs(len(done) - stop * size / 51) <= 1
            assert done == [f"{stratum}-{n}" for n in range(len(done))]
