"""Gathering what arrives one by one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from pipelines.judging.steps import in_steps, undisturbed


class BrokenError(Exception):
    """What arrives has come to an end by an error."""


async def arriving(count: int, then: asyncio.Event | None = None, error: Exception | None = None) -> AsyncIterator[int]:
    """Yield numbers, then wait for an event, then fail, where asked to."""
    for number in range(count):
        yield number
    if then is not None:
        await then.wait()
    if error is not None:
        raise error


def steps_of(source: AsyncIterator[int], *, most: int, seconds: float = 60.0) -> list[list[int]]:
    """Return all steps."""

    async def run() -> list[list[int]]:
        return [step async for step in in_steps(source, most=most, seconds=seconds)]

    return asyncio.run(run())


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (4, [4]), (9, [4, 4, 1])])
def test_steps_are_full_and_the_last_is_what_is_left(count: int, sizes: list[int]) -> None:
    """Nothing is lost, doubled or put in another order."""
    steps = steps_of(arriving(count), most=4)

    assert [len(step) for step in steps] == sizes
    assert [one for step in steps for one in step] == list(range(count))


def test_what_has_arrived_does_not_wait_for_what_has_not() -> None:
    """A step that is not full is given out after its time, although the next thing may never come."""

    async def run() -> list[int]:
        never = asyncio.Event()
        steps = in_steps(arriving(3, then=never), most=100, seconds=0.01)
        first = await anext(steps)
        never.set()
        assert [step async for step in steps] == []
        return first

    assert asyncio.run(run()) == [0, 1, 2]


def test_an_error_comes_after_what_arrived_before_it() -> None:
    """What was paid for can be stored before the night ends with its error."""
    seen: list[int] = []

    async def run() -> None:
        async for step in in_steps(arriving(3, error=BrokenError()), most=100, seconds=60.0):
            seen.extend(step)

    with pytest.raises(BrokenError):
        asyncio.run(run())
    assert seen == [0, 1, 2]


def test_what_arrived_is_given_out_when_the_night_is_stopped() -> None:
    """Ctrl-C cancels the night; what was paid for by then is stored first."""
    seen: list[int] = []

    async def night() -> None:
        async for step in in_steps(arriving(3, then=asyncio.Event()), most=100, seconds=60.0):
            seen.extend(step)

    async def run() -> None:
        task = asyncio.create_task(night())
        await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert seen == [0, 1, 2]


def test_what_arrives_while_a_step_is_stored_is_given_out_when_the_night_is_stopped() -> None:
    """Ctrl-C in the middle of storing: that step is stored to its end, and then what had come in meanwhile."""
    seen: list[int] = []

    async def run() -> None:
        waiting: asyncio.Queue[int] = asyncio.Queue()
        waiting.put_nowait(0)
        storing, stored = asyncio.Event(), asyncio.Event()

        async def coming() -> AsyncIterator[int]:
            while True:
                yield await waiting.get()

        async def store(step: list[int]) -> None:
            storing.set()
            await stored.wait()
            seen.extend(step)

        async def night() -> None:
            async for step in in_steps(coming(), most=100, seconds=0.0):
                await undisturbed(store(step))

        task = asyncio.create_task(night())
        await storing.wait()
        for number in (1, 2, 3):
            waiting.put_nowait(number)
        task.cancel()
        stored.set()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert seen == [0, 1, 2, 3]
