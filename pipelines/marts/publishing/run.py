"""Publish the marts: written aside, all of it, and then moved into place."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.io.folders import sync
from pipelines.io.room import room
from pipelines.io.warehouse import Connection, Warehouse, discard, made_aside
from pipelines.marts.catalog import MARTS, known
from schemas import sql

#: rows of a row group; no more of a mart is in memory at once, however many days it has
_ROWS_AT_ONCE = 100_000


def publish(warehouse: Warehouse, folder: Path) -> dict[str, int]:
    """Write all marts as Parquet and as one DuckDB file, aside and then moved into place; return their rows.

    What people read is never the file that the stream writes to. Nothing is moved before all of it is on the disk: what
    raises leaves what was published before. The same marts give the same Parquet bytes. One process at a time publishes
    to a folder, another waits: what is written aside has one name.
    """
    with warehouse.in_turn(f"publishing to {folder}", folder / ".publishing.lock"):
        return _publish(warehouse, folder)


def _publish(warehouse: Warehouse, folder: Path) -> dict[str, int]:
    whole, parquet = folder / "nightcheck.duckdb", {mart: folder / f"{mart}.parquet" for mart in MARTS}
    places = [whole, *parquet.values()]
    try:
        with room(folder):
            with warehouse.read() as source:
                rows = {mart: _write_parquet(source, mart, _aside(path)) for mart, path in parquet.items()}
            with made_aside(_aside(whole)) as target:
                target.execute("create schema marts")
                for mart, path in parquet.items():
                    _copy(target, mart, _aside(path))
            for place in map(_aside, places):
                sync(place)
                place.chmod(0o444)  # nobody writes to it any more
        for place in places:  # only once all of it is on the disk
            _aside(place).replace(place)
    except BaseException:
        for place in places:
            discard(_aside(place))
        raise
    sync(folder)
    return rows


def _write_parquet(source: Connection, mart: str, path: Path) -> int:
    """Write a mart with row groups of one size, so that the same rows are the same bytes; return how many there are."""
    rows = 0
    with (
        closing(source.sql(f"from marts.{known(mart)} order by all").to_arrow_reader(_ROWS_AT_ONCE)) as batches,
        pq.ParquetWriter(path, batches.schema, compression="zstd") as writer,
    ):
        for group in _of_one_size(batches):
            writer.write_batch(group)
            rows += len(group)
    return rows


def _of_one_size(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Cut batches of any size into ones of so many rows each; the last may have fewer.

    How DuckDB cuts them depends on its threads, and how Parquet is written depends on how they are cut.
    """
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        while sum(map(len, waiting)) >= _ROWS_AT_ONCE:
            together = pa.concat_batches(waiting)
            yield together[:_ROWS_AT_ONCE]
            waiting = [together[_ROWS_AT_ONCE:]]
    if any(map(len, waiting)):
        yield pa.concat_batches(waiting)


def _copy(target: Connection, mart: str, path: Path) -> None:
    """Copy a mart from its Parquet file, with its comments.

    Not with its keys: nobody writes to what is published, and the index of a key takes many times the room of the rows.
    """
    target.execute(sql.load(f"marts/{known(mart)}/table.sql"))
    comments = target.execute(sql.load("ops/comments.sql"), {"schema": "marts", "name": mart}).fetchall()
    target.execute(f"drop table marts.{mart}")
    with pq.ParquetFile(path) as file:
        rows = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(_ROWS_AT_ONCE))
        target.register("published", rows)
        target.execute(f"create table marts.{mart} as from published")
        target.unregister("published")
    for (statement,) in comments:
        target.execute(statement)


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")
