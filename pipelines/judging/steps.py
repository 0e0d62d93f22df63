"""Gathers what arrives one by one into steps, so that it is stored soon and yet not one by one."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")


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


async def _next(arriving: AsyncIterator[T]) -> T:
    return await anext(arriving)
