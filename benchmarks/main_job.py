"""How fast the main job is, and whether its memory grows: generated events in, one night over them.

    .venv/bin/python -m benchmarks.main_job                  50,000 and 200,000 events
    .venv/bin/python -m benchmarks.main_job 200000 1000000   other sizes

Each size runs in processes of its own, so that the peak of memory is that of this size. The events are half turns of
about 650 bytes and half retrievals of about 4.4 KB with eight passages, all on one day: the hardest day to take in and
the largest frame to draw from. The judge is the offline one, so that the night's time is our own.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

DAY = date(2026, 11, 29)


def write(path: Path, count: int) -> int:
    from pipelines.demo.bulk import generate_bulk

    with path.open("wb") as file:
        for line in generate_bulk(1, count, DAY):
            file.write(line.rstrip(b"\n") + b"\n")
    return path.stat().st_size


def ingest(home: Path) -> None:
    from pipelines.ingest.run import ingest as run
    from pipelines.io.clock import now
    from pipelines.io.files import FileSource
    from pipelines.io.warehouse import Warehouse

    run(FileSource([home / "events.jsonl"]), Warehouse(home / "warehouse.duckdb", memory_limit="256MB"), now=now)


def night(home: Path) -> None:
    from pipelines.io.clock import now
    from pipelines.io.warehouse import Warehouse
    from pipelines.judging.lexical import LexicalJudge
    from pipelines.marts.publishing.run import publish
    from pipelines.night.run import Plan, run_night

    warehouse = Warehouse(home / "warehouse.duckdb", memory_limit="256MB")
    run_night(warehouse, DAY, LexicalJudge(), Plan(environments=("production",), seed="1", cap=40), now=now)
    publish(warehouse, home / "published")


STEPS = {"ingest": ingest, "night": night}


def measure(step: str, home: Path) -> dict[str, float]:
    """Run one step in a process of its own; return its seconds, CPU-seconds and peak of memory in MB."""
    command = [sys.executable, __file__, "--step", step, str(home)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    out = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return dict(json.loads(out))


def main(sizes: list[int]) -> None:
    print("| events | input MB | ingest s | events/s | events/CPU-s | peak MB | night s | peak MB |")
    print("|---|---|---|---|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            megabytes = write(home / "events.jsonl", size) / 1e6
            taken, run = measure("ingest", home), measure("night", home)
        print(
            f"| {size:,} | {megabytes:,.0f} | {taken['wall']:.1f} | {size / taken['wall']:,.0f} | "
            f"{size / taken['cpu']:,.0f} | {taken['peak']:.0f} | {run['wall']:.1f} | {run['peak']:.0f} |"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        began = time.perf_counter()
        STEPS[sys.argv[2]](Path(sys.argv[3]))
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(
            json.dumps(
                {
                    "wall": time.perf_counter() - began,
                    "cpu": used.ru_utime + used.ru_stime,
                    "peak": used.ru_maxrss / 1024,
                }
            )
        )
    else:
        main([int(size) for size in sys.argv[1:]] or [50_000, 200_000])
