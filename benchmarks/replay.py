"""How fast the gate is replayed over a day, and whether memory grows with the day.

    .venv/bin/python -m benchmarks.replay                  50,000 and 200,000 turns
    .venv/bin/python -m benchmarks.replay 100000 1000000   other sizes

Turns of one day in conversations of five, with answers of 400 characters, in a warehouse that may use 256 MB. Each size
is replayed in a process of its own, so that the peak of memory is that of this size; the first one is from before
anything is read. The seconds include reading, storing and committing.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

DAY = date(2026, 11, 29)
MESSAGES = (
    "Which plans include single sign-on for a team of twelve?",
    "And does it include audit logs?",
    "Why?",
    "How do I export last year's invoices as a spreadsheet?",
    "What about the second one?",
)
ANSWER = "The Team and the Pro plan do, and it can be added to the others. " * 6


def write(path: Path, turns: int) -> None:
    start = datetime(2026, 11, 29, tzinfo=UTC)
    with path.open("w", encoding="utf-8") as file:
        for number in range(turns):
            conversation, index = divmod(number, len(MESSAGES))
            event = {
                "event_id": str(uuid.UUID(int=number)),
                "event_type": "turn",
                "schema_version": 1,
                "tenant": f"t{conversation % 20}.example.com",
                "environment": "production",
                "occurred_at": (start + timedelta(seconds=number * 80_000 / turns)).isoformat(),
                "conversation_id": f"c-{conversation}",
                "payload": {
                    "turn_id": f"t-{number}",
                    "turn_index": index,
                    "message": MESSAGES[index],
                    "answer": ANSWER,
                },
            }
            file.write(json.dumps(event) + "\n")


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def step(name: str, home: Path) -> None:
    from pipelines.ingest.run import ingest
    from pipelines.io.clock import now
    from pipelines.io.files import FileSource
    from pipelines.io.warehouse import Warehouse
    from pipelines.marts.run import make
    from pipelines.resolution.replay.run import replay

    warehouse = Warehouse(home / "warehouse.duckdb", memory_limit="256MB")
    if name == "ingest":
        ingest(FileSource([home / "turns.jsonl"]), warehouse, now=now)
        return
    before, began = peak(), time.perf_counter()
    replay(warehouse, DAY, ["production"])
    replayed, after = time.perf_counter() - began, peak()
    began = time.perf_counter()
    make(warehouse, DAY, ["gate_population", "gate_daily"])
    marts = time.perf_counter() - began
    print(json.dumps({"replay": replayed, "before": before, "after": after, "marts": marts}))


def run(name: str, home: Path) -> str:
    command = [sys.executable, __file__, "--step", name, str(home)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def main(sizes: list[int]) -> None:
    print("|     turns | replay s | turns/s | MB before | MB after | marts s |")
    print("|----------:|---------:|--------:|----------:|---------:|--------:|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            write(home / "turns.jsonl", size)
            run("ingest", home)
            figures = json.loads(run("replay", home))
        print(
            f"| {size:9,} | {figures['replay']:8.1f} | {size / figures['replay']:7,.0f} | {figures['before']:9.0f} | "
            f"{figures['after']:8.0f} | {figures['marts']:7.1f} |"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step(sys.argv[2], Path(sys.argv[3]))
    else:
        main([int(size) for size in sys.argv[1:]] or [50_000, 200_000])
