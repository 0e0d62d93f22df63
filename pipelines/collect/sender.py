"""The background of the client library: batches to the collector, or to the disk until it answers."""

import gzip
import json
import logging
import random
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipelines.collect.outbox import Outbox
from pipelines.collect.pause import Pause
from pipelines.collect.record import Envelope

_log = logging.getLogger("nightcheck.client")
_BATCH = 500
_BATCH_BYTES = 2 * 1024 * 1024
_FIRST_RETRY_SECONDS = 0.5
_LAST_RETRY_SECONDS = 30.0
_GIVE_WAY_SECONDS = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How and where a client sends."""

    url: str
    key: str
    spool: Path | None
    most_spooled: int
    linger_seconds: float
    timeout_seconds: float


class Sender(threading.Thread):
    """One thread. Whatever goes wrong in it is counted or tried again; it ends only when it is told to."""

    def __init__(
        self,
        settings: Settings,
        queue: deque[bytes],
        take_drops: Callable[[], Mapping[str, int]],
        envelope: Envelope,
    ) -> None:
        super().__init__(name="nightcheck-client", daemon=True)
        self._settings = settings
        self._queue = queue
        self._take_drops = take_drops
        self._envelope = envelope
        #: what was lost here, and what is being reported, by reason
        self.lost: dict[str, int] = {}
        self.reported: dict[str, int] = {}
        self._report = b""
        self._outbox = None if settings.spool is None else Outbox(settings.spool, settings.most_spooled)
        self._failures = 0
        self._wake, self._idle, self._ended = threading.Event(), threading.Event(), threading.Event()
        self._hurry = False
        self._random = random.Random()  # noqa: S311 - jitter, no secret
        self._pause = self._restored_pause()

    def notice(self, waiting: int) -> None:
        """Learn that something waits; cheap, for it is called with each event."""
        if self._idle.is_set():
            self._idle.clear()
        if waiting >= _BATCH and not self._wake.is_set():
            self._wake.set()

    def drain(self, seconds: float) -> bool:
        """Send at once; return whether the memory is empty within the time."""
        if not self._queue and self._idle.is_set():
            return True
        self._idle.clear()
        self._hurry = True
        self._wake.set()
        emptied = self._idle.wait(seconds)
        self._hurry = False
        return emptied

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        self._wake.set()
        self.join(self._settings.timeout_seconds + 1)

    def run(self) -> None:
        """Send until told to stop."""
        while not self._ended.is_set():
            self._wake.wait(self._settings.linger_seconds)
            self._wake.clear()
            try:
                self._round()
            except Exception as error:  # noqa: BLE001 - a thread that died would drop everything from now on
                _log.warning("sending failed unexpectedly: %s", type(error).__name__)
                self._failures += 1
                self._ended.wait(_FIRST_RETRY_SECONDS)

    def _round(self) -> None:
        """Send what waits; where the collector is not ready for it, move it to the disk and come back later."""
        ready = self._pause.left(time.monotonic()) <= 0
        while self._queue:
            if not ready and self._outbox is None and not self._ended.is_set():
                break  # memory is the only place; new events are dropped and counted once it is full
            frozen, batch = self._take()
            if batch and not (ready and self._deliver(batch)):
                ready = False
                self._keep(frozen, batch)
                if self._outbox is None:
                    break
        if ready and self._outbox is not None:
            self._send_outbox()
        if ready and self._pause.left(time.monotonic()) <= 0:
            self._report_drops()
        if not self._queue:
            self._idle.set()

    def _take(self) -> tuple[list[bytes], list[bytes]]:
        """Take events for a batch from the queue: as they are there, and as JSON."""
        taken: list[bytes] = []
        batch: list[bytes] = []
        size = 0
        while self._queue and len(batch) < _BATCH and size < _BATCH_BYTES:
            frozen = self._queue.popleft()
            try:
                batch.append(self._envelope.write(frozen))
            except (TypeError, ValueError, RecursionError) as error:
                self._lose("not_json", 1)
                _log.warning("an event could not be written: %s", type(error).__name__)
                continue
            taken.append(frozen)
            size += len(batch[-1])
            if not self._hurry and not self._ended.is_set():
                # really away from the interpreter for a moment: else an application's thread waits for a whole batch
                time.sleep(_GIVE_WAY_SECONDS)
        return taken, batch

    def _keep(self, frozen: Sequence[bytes], batch: Sequence[bytes]) -> None:
        if self._outbox is None:
            self._queue.extendleft(reversed(frozen))
            return
        try:
            if not self._outbox.put(batch):
                self._lose("spool_full", len(batch))
        except OSError:
            self._lose("spool_failed", len(batch))

    def _send_outbox(self) -> None:
        assert self._outbox is not None  # noqa: S101 - asked by the caller
        for path in self._outbox.batches():
            if self._ended.is_set() or self._queue:
                return
            try:
                records = self._outbox.read(path)
            except OSError:
                continue  # another process of this application was faster
            if records and not self._deliver(records):
                return
            self._outbox.remove(path)

    def _report_drops(self) -> None:
        """Tell the collector what was lost; a report that fails is sent again as it is, and counted once."""
        if not self.reported:
            for reason, count in self._take_drops().items():
                self._lose(reason, count)
            if not self.lost:
                return
            self.reported, self.lost = self.lost, {}
            self._report = self._envelope.report(self.reported, _wall())
        if self._deliver([self._report]):
            self.reported = {}

    def _deliver(self, batch: Sequence[bytes]) -> bool:
        """Send a batch; True when it is done with: stored, or refused in a way that repeating cannot cure."""
        try:
            status, answer, retry_after = self._post(batch)
        except (OSError, ValueError) as error:
            return self._fail(type(error).__name__)
        if status == 200:
            self._failures = 0
            rejected = [
                each.get("reason", "") for each in answer.get("verdicts", []) if each.get("status") == "rejected"
            ]
            for reason in rejected:
                self._lose(f"rejected_{reason}", 1)
            return True
        if status == 429:
            self._wait_for(retry_after)
            return False
        if status == 413 and len(batch) > 1:
            half = len(batch) // 2
            return self._deliver(batch[:half]) and self._deliver(batch[half:])
        if status in (400, 413, 415):
            self._lose(f"refused_{status}", len(batch))
            return True
        return self._fail(f"HTTP {status}")

    def _fail(self, reason: str) -> bool:
        self._failures += 1
        most = min(_LAST_RETRY_SECONDS, _FIRST_RETRY_SECONDS * 2 ** min(self._failures, 10))
        self._pause.ask(self._random.uniform(most / 2, most), time.monotonic())
        if self._failures in (1, 10, 100):
            _log.warning("the collector takes no events (%s), which are kept and sent later", reason)
        return False

    def _wait_for(self, seconds: float) -> None:
        self._pause.ask(seconds + self._random.uniform(0, 1), time.monotonic())
        if self._settings.spool is not None:
            try:
                self._settings.spool.mkdir(parents=True, exist_ok=True)
                content = self._pause.stored(time.monotonic(), _wall())
                (self._settings.spool / "pause.json").write_bytes(content)
            except OSError:
                return  # a pause that is forgotten at a restart is one request too many

    def _restored_pause(self) -> Pause:
        if self._settings.spool is None:
            return Pause()
        try:
            content = (self._settings.spool / "pause.json").read_bytes()
        except OSError:
            return Pause()
        return Pause.restored(content, time.monotonic(), _wall())

    def _lose(self, reason: str, count: int) -> None:
        self.lost[reason] = self.lost.get(reason, 0) + count

    def _post(self, batch: Sequence[bytes]) -> tuple[int, Mapping[str, list[dict[str, str]]], float]:
        sent = f',"sent_at":"{datetime.fromtimestamp(_wall(), UTC).isoformat()}"}}'.encode()
        body = gzip.compress(b"\n".join(record[:-1] + sent for record in batch), compresslevel=1)
        headers = {"Authorization": f"Bearer {self._settings.key}", "Content-Type": "application/x-ndjson"}
        request = urllib.request.Request(  # noqa: S310 - the address is the application's own
            f"{self._settings.url.rstrip('/')}/v1/events", body, headers | {"Content-Encoding": "gzip"}, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=self._settings.timeout_seconds) as answer:  # noqa: S310
                return answer.status, json.loads(answer.read()), 0.0
        except urllib.error.HTTPError as error:
            with error:
                after = error.headers.get("Retry-After", "")
                return error.code, {}, float(after) if after.isdecimal() else 1.0


#: the application's edge: the wall clock is read here for the wire and for what is kept over a restart
_wall: Callable[[], float] = time.time  # noqa: TID251
