"""What other tools make of the same topic; run by `benchmarks/stream.py` with the Python of its own environment.

`python benchmarks/stream_peers.py dlt|quixstreams SERVERS TOPIC EVENTS FOLDER` prints one line of JSON: seconds and
CPU-seconds. Both write one typed table of turns to a DuckDB file; neither looks for duplicates.
"""

import importlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COLUMNS = (
    ("tenant", "varchar"),
    ("environment", "varchar"),
    ("event_id", "varchar"),
    ("occurred_at", "timestamptz"),
    ("conversation_id", "varchar"),
    ("visitor_id", "varchar"),
    ("turn_id", "varchar"),
    ("turn_index", "integer"),
    ("message", "varchar"),
    ("language", "varchar"),
    ("answer", "varchar"),
    ("gate_decision", "varchar"),
    ("gate_reason", "varchar"),
    ("gate_version", "varchar"),
    ("latency_ms", "double"),
    ("model", "varchar"),
)


def flat(event: dict[str, Any]) -> dict[str, Any]:
    """Return a turn as a row of the table."""
    payload, gate = event["payload"], event["payload"]["gate"]
    fields = {**event, **payload, **{f"gate_{name}": value for name, value in gate.items()}}
    return {name: fields[name] for name, _ in COLUMNS}


def run_dlt(servers: str, topic: str, events: int, folder: Path) -> None:
    """Read to the end with kafka-python in a dlt resource, load into DuckDB."""
    import dlt
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(bootstrap_servers=servers, auto_offset_reset="earliest", enable_auto_commit=False)
    consumer.assign([TopicPartition(topic, number) for number in consumer.partitions_for_topic(topic)])

    @dlt.resource(name="turns", write_disposition="append")
    def rows() -> Iterator[list[dict[str, Any]]]:
        read = 0
        while read < events:
            for found in consumer.poll(timeout_ms=500, max_records=5000).values():
                read += len(found)
                yield [flat(json.loads(record.value)) for record in found]

    destination = dlt.destinations.duckdb(str(folder / "dlt.duckdb"))
    pipeline = dlt.pipeline(
        "bench", destination=destination, dataset_name="canonical", pipelines_dir=str(folder / "dlt")
    )
    pipeline.run(rows())
    consumer.close()


def run_quixstreams(servers: str, topic: str, events: int, folder: Path) -> None:
    """Read with quixstreams into a hand-written sink that holds the DuckDB file and inserts Arrow tables."""
    import duckdb
    import pyarrow as pa
    from quixstreams import Application
    from quixstreams.sinks import BatchingSink, SinkBatch

    connection = duckdb.connect(str(folder / "quixstreams.duckdb"))
    connection.execute(f"create table turns ({', '.join(' '.join(column) for column in COLUMNS)})")

    class Sink(BatchingSink):  # type: ignore[misc]
        def write(self, batch: SinkBatch) -> None:
            incoming = pa.Table.from_pylist([flat(item.value) for item in batch])
            connection.register("incoming", incoming)
            connection.execute("insert into turns by name select * from incoming")
            connection.unregister("incoming")

    application = Application(
        broker_address=servers,
        consumer_group=f"quix-{topic}",
        auto_offset_reset="earliest",
        commit_every=5000,
        commit_interval=1.0,
        loglevel="ERROR",
    )
    application.dataframe(application.topic(topic, value_deserializer="json")).sink(Sink())
    application.run(count=events, timeout=120.0)
    connection.close()


def main() -> None:
    tool, servers, topic, events, folder = sys.argv[1:]
    for name in {"dlt": ("dlt", "kafka"), "quixstreams": ("quixstreams", "duckdb", "pyarrow")}[tool]:
        importlib.import_module(name)  # half a second of CPU time that is no part of the work
    wall, cpu = time.perf_counter(), time.process_time()
    {"dlt": run_dlt, "quixstreams": run_quixstreams}[tool](servers, topic, int(events), Path(folder))
    print(json.dumps({"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}))


if __name__ == "__main__":
    main()
