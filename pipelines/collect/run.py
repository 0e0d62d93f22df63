"""Run the collector: its sink, its keys, its server."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

import uvicorn

from pipelines.collect.app import Collector, make_app
from pipelines.collect.keys import StoredKey, mint
from pipelines.errors import NotTakenError, UsageError
from pipelines.io.keyring import Keyring
from pipelines.tenants.name import InvalidTenantName, normalise


class Writer(Protocol):
    """What makes records durable: the spool or a Kafka topic."""

    def append(self, records: Sequence[bytes]) -> None:
        """Return when all records are durable; raise `OSError` where they are not."""
        ...

    def close(self) -> None:
        """Let go."""
        ...


class Gathering:
    """Requests that wait at the same moment become durable together: one wait for the disk, not one each."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: list[tuple[Sequence[bytes], asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, records: Sequence[bytes]) -> None:
        """Return when the records are durable; raise `OSError` where they are not."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((records, mine))
        if self._task is None or self._task.done():
            # a task of its own: a client that hangs up must not cut the writing for the others
            self._task = asyncio.create_task(self._write())
        await mine

    async def _write(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            error: Exception | None = None
            try:
                await asyncio.to_thread(self._writer.append, [record for records, _ in together for record in records])
            except Exception as found:  # noqa: BLE001 - whatever it was, nobody may be left waiting for an answer
                error = found
            for _, future in together:
                if future.done():
                    continue
                if error is None:
                    future.set_result(None)
                else:
                    kind = NotTakenError if isinstance(error, NotTakenError) else OSError
                    future.set_exception(kind(str(error)))


def keyring(home: Path) -> Keyring[StoredKey]:
    """Return the write keys of an installation."""
    return Keyring(home / "keys.json", StoredKey)


def create_key(home: Path, tenant: str, now: Callable[[], datetime]) -> tuple[str, StoredKey]:
    """Make a key for a tenant; it is returned this once and stored as a hash."""
    name = normalise(tenant)
    if isinstance(name, InvalidTenantName):
        raise UsageError("the tenant", name.reason, "Give the exact host name")
    key, stored = mint(name, now(), secrets.token_hex)
    with keyring(home).change() as keys:
        keys[stored.key_id] = stored
    return key, stored


def revoke_key(home: Path, key_id: str, now: Callable[[], datetime]) -> StoredKey:
    """Revoke a key; a running collector refuses it from its next request on."""
    with keyring(home).change() as keys:
        if key_id not in keys:
            raise UsageError(f"key {key_id}", "there is none of that id", "See nightcheck keys list")
        known = keys[key_id]
        keys[key_id] = StoredKey(
            key_id=known.key_id,
            tenant=known.tenant,
            digest=known.digest,
            created_at=known.created_at,
            revoked_at=known.revoked_at or now(),
        )
        return keys[key_id]


def serve(writer: Writer, home: Path, *, host: str, port: int, environment: str, now: Callable[[], datetime]) -> None:
    """Serve until SIGTERM or SIGINT; requests in hand are answered first."""
    collector = Collector(append=Gathering(writer).append, keys=keyring(home).items, now=now, environment=environment)
    try:
        uvicorn.run(
            make_app(collector),
            host=host,
            port=port,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=30,
            h11_max_incomplete_event_size=64 * 1024,
        )
    finally:
        writer.close()
