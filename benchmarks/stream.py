"""The stream's speed, by stage and as a whole, on an empty warehouse and on ten million events, beside peers.

    .venv/bin/python -m benchmarks.stream                     (about ten minutes; --rows and --events make it shorter)
    .venv/bin/python -m benchmarks.stream --no-peers
    .venv/bin/python -m benchmarks.stream --only-peers        (the comparison alone, on an empty warehouse)

Needs Java and the jars of Kafka (`tests/integration/kafka/fetch.sh`), or KAFKA_BOOTSTRAP_SERVERS. The broker runs on
the same machine, so that wall-clock figures are a floor; CPU figures are those of the measured process with all its
threads. Ratios within one run are firmer than any single figure. dlt and quixstreams are installed into an environment
of their own under `.cache/peers` at the first run.
"""

import argparse
import contextlib
import gc
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

from benchmarks.stream_traffic import retrievals, turns
from pipelines.ingest.batch import Batch, build
from pipelines.ingest.decode import decode
from pipelines.ingest.run import ingest, store
from pipelines.io.clock import now
from pipelines.io.kafka import KafkaSource
from pipelines.io.kafka_connection import KafkaSettings
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits, Position, Stretch
from tests.integration.kafka.broker import Broker, make_topic, send

ROOT = Path(__file__).parent.parent
PEERS = (
    "dlt==1.31.0",
    "quixstreams==3.28.1",
    "duckdb==2.0.1",
    "pyarrow==26.0.1",
    "kafka-python==3.0.12",
    "crc32c",
    "lz4",
)
LIMITS = BatchLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One row of the table."""

    name: str
    events: int
    size: int
    seconds: float
    cpu_seconds: float

    @property
    def speed(self) -> float:
        return self.events / self.seconds

    @property
    def cpu_speed(self) -> float:
        return self.events / self.cpu_seconds


def measure(name: str, records: list[bytes], work: Callable[[], object]) -> Measured:
    """Run once, without the garbage collector, as the ingester does."""
    gc.collect()
    gc.disable()
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    gc.enable()
    size = sum(map(len, records))
    return Measured(name=name, events=len(records), size=size, seconds=seconds, cpu_seconds=cpu_seconds)


def stretches(records: list[bytes], rows: int) -> Iterator[list[Stretch]]:
    """Cut records into batches as a source would."""
    for start in range(0, len(records), rows):
        part = records[start : start + rows]
        end = Position(offset=start + len(part), mark="bench")
        yield [Stretch(partition="bench/0", records=part, offsets=range(start, start + len(part)), end=end)]


def filled(path: Path, rows: int) -> None:
    """Fill a raw log with a hundred days, by SQL; the raw bytes are short, as no stage reads them again."""
    with Warehouse(path).write() as connection:
        connection.execute((Path(__file__).parent / "stream_fill.sql").read_text(), {"rows": rows})
    print(f"  filled a warehouse with {rows:,} events: {path.stat().st_size / 1e6:,.0f} MB", flush=True)


def consume(settings: KafkaSettings, topic: str) -> None:
    """Read a topic to its end and do nothing with it."""
    source = KafkaSource(topic, settings, until_end=True)
    for _ in source.batches({}, LIMITS):
        pass
    source.close()


def store_all(path: Path, batches: list[tuple[Batch, list[Stretch]]]) -> None:
    """Store batches that are built already."""
    with Warehouse(path).hold(threads=1) as held:
        for batch, part in batches:
            with held.transaction() as connection:
                store(connection, batch, part, "bench", now())


def whole(settings: KafkaSettings, topic: str, path: Path) -> None:
    """The whole path: Kafka to the warehouse, with dedupe, positions, raw log and projections."""
    source = KafkaSource(topic, settings, until_end=True, group="bench")
    counts = ingest(source, Warehouse(path), now=now, limits=LIMITS)
    source.close()
    assert counts.stored == counts.consumed, counts


def stages(kind: str, records: list[bytes], settings: KafkaSettings, folder: Path, full: Path) -> list[Measured]:
    """Measure all stages for one kind of event."""
    topic = f"bench-{kind}-{uuid4().hex[:8]}"
    make_topic(settings.servers, topic, 4)
    send(settings.servers, topic, records)
    rows = min(LIMITS.rows, LIMITS.bytes * len(records) // sum(map(len, records)))
    parts = list(stretches(records, rows))
    built = [(build(part, "UTC"), part) for part in parts]
    found = [
        measure(f"{kind}: consume only", records, lambda: consume(settings, topic)),
        measure(f"{kind}: decode only", records, lambda: [decode(record) for record in records]),
        measure(f"{kind}: decode and columns", records, partial(build_all, parts)),
    ]
    for state in ("empty", "full"):
        path = warehouse_of(folder / f"{kind}-insert-{state}.duckdb", full if state == "full" else None)
        found.append(measure(f"{kind}: insert only, {state}", records, partial(store_all, path, built)))
        path.unlink()
    for state in ("empty", "full"):
        path = warehouse_of(folder / f"{kind}-whole-{state}.duckdb", full if state == "full" else None)
        found.append(measure(f"{kind}: whole path, {state}", records, partial(whole, settings, topic, path)))
        path.unlink()
    return found


def warehouse_of(path: Path, full: Path | None) -> Path:
    """Return the path of a warehouse: a copy of the full one, or one that does not exist yet."""
    if full is not None:
        shutil.copyfile(full, path)
    return path


def build_all(parts: list[list[Stretch]]) -> None:
    """Build batches and let each go, as the ingester does."""
    for part in parts:
        build(part, "UTC")


def peers(records: list[bytes], settings: KafkaSettings, folder: Path) -> list[Measured]:
    """Measure dlt, quixstreams and the whole path again, on one topic."""
    python = ROOT / ".cache" / "peers" / "bin" / "python"
    if not python.exists():
        venv.create(python.parent.parent, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS], check=True)
    topic = f"bench-peers-{uuid4().hex[:8]}"
    make_topic(settings.servers, topic, 4)
    send(settings.servers, topic, records)
    found = []
    size = sum(map(len, records))
    for tool in ("dlt", "quixstreams"):
        command = [
            python,
            Path(__file__).parent / "stream_peers.py",
            tool,
            settings.servers,
            topic,
            str(len(records)),
            folder,
        ]
        environment = {**os.environ, "DLT_TELEMETRY": "false", "RUNTIME__DLTHUB_TELEMETRY": "false"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            print(f"  {tool} failed: {done.stderr[-500:]}")
            continue
        told = json.loads(done.stdout.strip().splitlines()[-1])
        found.append(Measured(name=f"turns: {tool}", events=len(records), size=size, **told))
    path = folder / "beside.duckdb"
    found.append(measure("turns: nightcheck, whole path", records, lambda: whole(settings, topic, path)))
    return found


def show(found: list[Measured]) -> None:
    print(f"\n| {'stage':<32} | events/s | MB/s | events/CPU-s | MB/CPU-s |\n|---|---:|---:|---:|---:|")
    for each in found:
        megabytes = each.size / 1e6
        print(
            f"| {each.name:<32} | {each.speed:,.0f} | {megabytes / each.seconds:,.1f} |"
            f" {each.cpu_speed:,.0f} | {megabytes / each.cpu_seconds:,.1f} |"
        )


def ratios(kind: str, found: list[Measured]) -> None:
    by_name = {each.name.removeprefix(f"{kind}: "): each for each in found if each.name.startswith(f"{kind}:")}
    for state in ("empty", "full"):
        parts = [by_name["consume only"], by_name["decode and columns"], by_name[f"insert only, {state}"]]
        path = by_name[f"whole path, {state}"]
        wall, cpu = sum(part.seconds for part in parts), sum(part.cpu_seconds for part in parts)
        print(
            f"{kind}, {state}: whole path / stages in sequence = "
            f"{wall / path.seconds:.2f} wall, {cpu / path.cpu_seconds:.2f} CPU"
        )
    full, empty = by_name["whole path, full"], by_name["whole path, empty"]
    print(
        f"{kind}: full / empty = {empty.seconds / full.seconds:.2f} wall, "
        f"{empty.cpu_seconds / full.cpu_seconds:.2f} CPU"
    )


@contextlib.contextmanager
def broker(folder: Path) -> Iterator[str]:
    if running := os.environ.get("KAFKA_BOOTSTRAP_SERVERS"):
        yield running
        return
    (folder / "broker").mkdir()
    started = Broker(folder / "broker")
    try:
        started.start()
        yield started.servers
    finally:
        started.close()


def all_stages(events: int, rows: int, settings: KafkaSettings, folder: Path) -> list[Measured]:
    """Measure all stages for both kinds of event."""
    full = folder / "full.duckdb"
    filled(full, rows)
    found: list[Measured] = []
    for kind, records in (("turns", turns(events, first=rows)), ("retrievals", retrievals(events // 5, first=rows))):
        size = sum(map(len, records)) / len(records)
        print(f"  {len(records):,} {kind} of {size:,.0f} bytes; load {os.getloadavg()[0]:.1f}", flush=True)
        found += stages(kind, records, settings, folder, full)
        print(f"  memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=150_000, help="turns; of retrievals a fifth")
    parser.add_argument("--rows", type=int, default=10_000_000, help="events in the full warehouse")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--only-peers", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, broker(Path(name)) as servers:
        folder, settings = Path(name), KafkaSettings(servers=servers)
        found = [] if chosen.only_peers else all_stages(chosen.events, chosen.rows, settings, folder)
        beside = [] if chosen.no_peers else peers(turns(min(chosen.events, 100_000)), settings, folder)
        show(found + beside)
        print()
        for kind in ("turns", "retrievals") if found else ():
            ratios(kind, found)
        for each in beside[:-1]:
            ours = beside[-1]
            print(
                f"nightcheck / {each.name[7:]} = {ours.speed / each.speed:.1f} wall, "
                f"{ours.cpu_speed / each.cpu_speed:.1f} CPU"
            )


if __name__ == "__main__":
    main()
