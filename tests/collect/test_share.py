"""Bodies that do not come: a tenant may hold its own share of the collector and no more, and not for long."""

import asyncio
from collections.abc import AsyncIterator

import httpx

from pipelines.collect.app import make_app
from tests.collect.conftest import Bench
from tests.streaming.traffic import event

A, B = "a.example.com", "b.example.com"


class Stuck:
    """Bodies that begin, and go on when they are told."""

    def __init__(self) -> None:
        self.begun = asyncio.Semaphore(0)
        self.go_on = asyncio.Event()

    async def body(self) -> AsyncIterator[bytes]:
        """Return a body of no event, in two parts."""
        yield b"["
        self.begun.release()
        await self.go_on.wait()
        yield b"]"


def client_of(bench: Bench) -> httpx.AsyncClient:
    """Return a client that may have many requests open at once."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(make_app(bench.collector)), base_url="http://collector")


def test_a_tenant_whose_bodies_do_not_come_keeps_nobody_else_out(collector: Bench) -> None:
    """As many requests as the collector works on at once, all of one tenant and all without an end, leave room."""
    key_a, key_b = collector.key(A), collector.key(B)

    async def play() -> tuple[list[int], int, int]:
        stuck = Stuck()
        async with client_of(collector) as client:
            held = [
                asyncio.create_task(client.post("/v1/events", content=stuck.body(), headers=key_a))
                for _ in range(collector.collector.in_flight)
            ]
            for _ in range(collector.collector.share):
                await stuck.begun.acquire()
            theirs = await client.post("/v1/events", json=[event(0, tenant=B)], headers=key_b)
            ours = await client.post("/v1/events", json=[event(0)], headers=key_a)
            stuck.go_on.set()
            return [(await each).status_code for each in held], theirs.status_code, ours.status_code

    held, theirs, ours = asyncio.run(play())

    assert (theirs, ours) == (200, 429)
    assert sorted(held) == [200] * collector.collector.share + [429] * (len(held) - collector.collector.share)
    assert collector.client.post("/v1/events", json=[event(3)], headers=key_a).json()["stored"] == 1


def test_a_body_has_a_deadline(collector: Bench) -> None:
    """A body that is not in by then is refused, nothing of it is stored, and its place is free again."""
    key = collector.key(A)
    collector.collector.body_seconds = 0.0
    collector.collector.share = 1

    async def play() -> list[httpx.Response]:
        stuck = Stuck()
        async with client_of(collector) as client:
            return [await client.post("/v1/events", content=stuck.body(), headers=key) for _ in range(2)]

    answers = asyncio.run(play())

    assert [(each.status_code, each.json()["error"]) for each in answers] == [(408, "too_slow")] * 2
    assert [each.headers["Connection"] for each in answers] == ["close"] * 2
    assert collector.writer.records == []


def test_there_is_an_end_to_what_all_tenants_may_bring_at_once(collector: Bench) -> None:
    """A body that is in while the collector has its hands full is refused, to be sent again."""
    collector.collector.busy = collector.collector.in_flight

    answer = collector.client.post("/v1/events", json=[event(0)], headers=collector.key(A))

    assert (answer.status_code, answer.json()["error"], answer.headers["Retry-After"]) == (429, "busy", "2")
