"""The collector as an ASGI application: events are judged one by one and acknowledged when they are durable."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipelines.collect.body import BodyLimits, Refusal, records_of
from pipelines.collect.keys import StoredKey, recognise
from pipelines.collect.metrics import Metrics
from pipelines.collect.openapi import document
from pipelines.collect.rate import Rate
from pipelines.collect.verdict import Accepted, judge
from pipelines.errors import NotTakenError
from pipelines.ingest.decode import Limits, Rejection

_log = logging.getLogger("nightcheck.collector")
_MEDIA = ("", "application/json", "application/x-ndjson", "application/jsonl")
_BUSY = Refusal(status=429, code="busy", message="too many requests at once")


@dataclass(kw_only=True)
class Collector:
    """What the application works with.

    `append` returns once the records are durable and raises `OSError` where they are not. `keys` gives the keys as they
    are now. `now` is the wall clock, `monotonic` a clock that never jumps.
    """

    append: Callable[[Sequence[bytes]], Awaitable[None]]
    keys: Callable[[], Mapping[str, StoredKey]]
    now: Callable[[], datetime]
    environment: str = "local"
    limits: BodyLimits = field(default_factory=BodyLimits)
    event_limits: Limits = field(default_factory=Limits)
    rate: Rate = field(default_factory=Rate)
    in_flight: int = 32
    share: int = 16
    body_seconds: float = 60.0
    monotonic: Callable[[], float] = time.monotonic
    metrics: Metrics = field(default_factory=Metrics)
    busy: int = 0
    at_hand: Counter[str] = field(default_factory=Counter)
    #: why the last request was not stored; None where it was
    trouble: str | None = None


def make_app(collector: Collector) -> Starlette:
    """Return the application. `/metrics` exists only where the environment is not local."""

    async def events(request: Request) -> Response:
        try:
            return await _events(collector, request)
        except ClientDisconnect:
            return Response(status_code=400)

    async def health(_request: Request) -> Response:
        answer = {"status": "ok"} if collector.trouble is None else {"status": "failing", "reason": collector.trouble}
        return JSONResponse(answer, status_code=200 if collector.trouble is None else 503)

    async def openapi(_request: Request) -> Response:
        return JSONResponse(document(with_metrics=collector.environment != "local"))

    async def metrics(_request: Request) -> Response:
        return Response(collector.metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")

    routes = [
        Route("/v1/events", events, methods=["POST"]),
        Route("/healthz", health, methods=["GET"]),
        Route("/openapi.json", openapi, methods=["GET"]),
    ]
    if collector.environment != "local":
        routes.append(Route("/metrics", metrics, methods=["GET"]))
    return Starlette(routes=routes)


async def _events(collector: Collector, request: Request) -> Response:
    key = recognise(request.headers.get("authorization"), collector.keys())
    if key is None:
        return _refused(collector, Refusal(status=401, code="no_key", message="no valid write key"))
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in _MEDIA:
        return _refused(collector, Refusal(status=415, code="unknown_media_type", message=f"{media!r}; send JSON"))
    if collector.at_hand[key.tenant] >= collector.share:
        return _refused(collector, _BUSY, 1.0)
    collector.at_hand[key.tenant] += 1
    try:
        body = await _body(request, collector.limits.body_bytes, collector.body_seconds)
        if isinstance(body, Refusal):
            return _refused(collector, body)
        if collector.busy >= collector.in_flight:
            return _refused(collector, _BUSY, 1.0)
        collector.busy += 1
        try:
            return await _take(collector, key, body, request.headers.get("content-encoding", ""))
        finally:
            collector.busy -= 1
    finally:
        collector.at_hand[key.tenant] -= 1


async def _take(collector: Collector, key: StoredKey, body: bytes, encoding: str) -> Response:
    records = await run_in_threadpool(records_of, body, encoding, collector.limits)
    if isinstance(records, Refusal):
        return _refused(collector, records)
    wait = collector.rate.wait(key.key_id, len(records), collector.monotonic())
    if wait > 0:
        refusal = Refusal(status=429, code="too_fast", message="the key's rate is used up; nothing was stored")
        return _refused(collector, refusal, wait)
    return await _store(collector, key.tenant, records)


async def _store(collector: Collector, tenant: str, records: Sequence[bytes]) -> Response:
    received_at = collector.now()
    verdicts = await run_in_threadpool(
        lambda: [judge(record, tenant, received_at, collector.event_limits) for record in records]
    )
    accepted = [verdict for verdict in verdicts if isinstance(verdict, Accepted)]
    try:
        if accepted:
            await collector.append([verdict.record for verdict in accepted])
    except OSError as error:
        # another error's words may hold a path of this machine
        reason = str(error) if isinstance(error, NotTakenError) else type(error).__name__
        _note(collector, reason)
        message = f"the events could not be made durable ({reason}); send them again"
        return _refused(collector, Refusal(status=503, code="not_stored", message=message), 5.0)
    _note(collector, None)
    collector.metrics.judged(tenant, verdicts)
    answer = {
        "stored": len(accepted),
        "rejected": len(verdicts) - len(accepted),
        "verdicts": [_told(verdict) for verdict in verdicts],
    }
    return JSONResponse(answer)


def _note(collector: Collector, trouble: str | None) -> None:
    """Keep why nothing can be stored, None where it can, and log it when it changes."""
    if trouble != collector.trouble:
        _log.warning("events are stored again" if trouble is None else f"no events are stored: {trouble}")
    collector.trouble = trouble


async def _body(request: Request, at_most: int, seconds: float) -> bytes | Refusal:
    """Take the body in, unless it is too large or too slow; the stated length is only a reason to stop earlier."""
    refusal = Refusal(status=413, code="too_large", message=f"the body has more than {at_most} bytes")
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and int(stated) > at_most:
        return refusal
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > at_most:
                    return refusal
                parts.append(part)
    except TimeoutError:
        return Refusal(status=408, code="too_slow", message=f"the body was not in after {seconds:g} seconds")
    return b"".join(parts)


def _told(verdict: Accepted | Rejection) -> dict[str, Any]:
    if isinstance(verdict, Accepted):
        return {"status": "stored"}
    return {
        "status": "rejected",
        "reason": verdict.reason.value,
        "path": verdict.path,
        "message": verdict.message,
    }


def _refused(collector: Collector, refusal: Refusal, wait: float | None = None) -> Response:
    collector.metrics.refused(refusal.code)
    headers = {}
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait + 0.5)))
    if refusal.status == 408:
        headers["Connection"] = "close"  # the rest of the body may still come, and is no request
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(
        {"error": refusal.code, "message": refusal.message}, status_code=refusal.status, headers=headers
    )
