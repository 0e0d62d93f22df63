"""An ingester as a process of its own, to be killed: `python -m tests.integration.faults.ingester WAREHOUSE ROWS SOURCE…`.

SOURCE is files, spool:FOLDER or kafka:SERVERS:TOPIC. After each batch that is durable it says so on standard output.
"""

import os
import sys
from pathlib import Path

from pipelines.ingest.run import Counts, ingest
from pipelines.io.clock import now
from pipelines.io.files import FileSource
from pipelines.io.spool import SpoolSource
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits, Source


def source_of(names: list[str]) -> Source:
    """Return the source that the arguments name."""
    if names[0].startswith("kafka:"):
        from pipelines.io.kafka import KafkaSource
        from pipelines.io.kafka_connection import KafkaSettings

        servers, _, topic = names[0].removeprefix("kafka:").rpartition("/")
        return KafkaSource(topic, KafkaSettings(servers=servers), until_end=True)
    if names[0].startswith("spool:"):
        return SpoolSource(Path(names[0].removeprefix("spool:")))
    return FileSource([Path(name) for name in names])


def main() -> None:
    """Ingest, saying what became durable."""
    warehouse, rows, *names = sys.argv[1:]

    left = int(os.environ.get("DIE_AFTER", sys.maxsize))

    def tell(counts: Counts) -> None:
        nonlocal left
        os.write(1, f"{counts.consumed}\n".encode())
        left -= counts.consumed
        if left <= 0:
            os._exit(9)  # the database is open: its log stays as it is

    source = source_of(names)
    os.write(1, b"ready\n")
    opened = Warehouse(Path(warehouse), memory_limit="512MB", threads=1)
    ingest(source, opened, now=now, limits=BatchLimits(rows=int(rows)), on_batch=tell)
    source.close()


if __name__ == "__main__":
    main()
