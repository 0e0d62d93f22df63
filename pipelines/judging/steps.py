"""Gathers what arrives one by one into steps, so that it is stored soon and yet not one by one."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import TypeVar

T = TypeVar("T")

#: verdicts are written in steps of so many, so that a crash loses little that was paid for
MOST_AT_ONCE = 500
#: and at least as often as this, in seconds, where they come slowly
SOON = 1.0


async def in_steps(arriving: AsyncIterator[T], *, most: int, seconds: float) -> AsyncIterator[list[T]]:
    """Yield lists of at most `most`, each as soon as it is full or `seconds` after the one before.

    What arrived before `arriving` failed, or before this was cancelled, is yielded before the error is raised.
    """
    loop = asyncio.get_running_loop()
    step: list[T] = []
    coming = asyncio.ensure_future(_next(arriving))
    until = loop.time() + seconds
    try:
        while True:
            try:
                await asyncio.wait({coming}, timeout=max(0.0, until - loop.time()) if step else None)
            except asyncio.CancelledError:
                while len(step) < most and (await asyncio.wait({coming}, timeout=0))[0] and not coming.exception():
                    step.append(coming.result())
                    coming = asyncio.ensure_future(_next(arriving))
                if step:
                    yield step
                raise
            if coming.done():
                if coming.exception() is not None:
                    break
                step.append(coming.result())
                coming = asyncio.ensure_future(_next(arriving))
            if step and (len(step) >= most or loop.time() >= until):
                yield step
                step, until = [], loop.time() + seconds
        if step:
            yield step
        error = coming.exception()
        if error is not None and not isinstance(error, StopAsyncIteration):
            raise error
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


async def undisturbed(work: Coroutine[object, object, None]) -> None:
    """Do a piece of work to its end: who is cancelled meanwhile is cancelled with the next wait after it.

    So what arrives while a step is stored is in a step as well (`in_steps`).
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        waiting = asyncio.current_task()
        if waiting is not None:
            waiting.uncancel()  # or it would count as cancelled twice, and Ctrl-C would not be known as such
            waiting.cancel()


async def _next(arriving: AsyncIterator[T]) -> T:
    return await anext(arriving)
