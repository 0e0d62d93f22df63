"""The ingest loop: batches of a source into the warehouse, exactly once in effect.

The positions of the source are written in the transaction of the rows. After any error the connection is dropped, and
the next start reads the positions from the warehouse: nothing is known from memory.
"""

import gc
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import pyarrow as pa

from pipelines.errors import NightcheckError
from pipelines.ingest.batch import Batch, build
from pipelines.ingest.mentions import ids_in, may_be_of, names_a_visitor
from pipelines.io.registered import registered
from pipelines.io.sole import sole_ingester
from pipelines.io.warehouse import Connection, NoWarehouseError, Warehouse
from schemas import sql
from schemas.sources import BatchLimits, Position, Source, Stretch

PROJECTIONS = sql.names("projections")
_BATCHES_TO_A_COLLECTION = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What became of records. `consumed` is the sum of the others: the conservation law."""

    consumed: int = 0
    stored: int = 0
    duplicates: int = 0
    conflicts: int = 0
    quarantined: int = 0
    erased: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        """Add field by field."""
        return Counts(**{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)})


class ContractBrokeError(NightcheckError):
    """A stored event does not fit the contract any more: the projections would lose it."""

    def __init__(self, rejection: Mapping[str, Any]) -> None:
        super().__init__(
            "the raw log",
            f"a stored event is rejected now ({rejection['reason']} at {rejection['path']}: {rejection['message']})",
            "The contract may only widen; go back to the version that stored it",
        )


def _ignore(_counts: Counts) -> None:
    return


def ingest(
    source: Source,
    warehouse: Warehouse,
    *,
    now: Callable[[], datetime],
    limits: BatchLimits | None = None,
    stop: Callable[[], bool] = lambda: False,
    on_batch: Callable[[Counts], None] = _ignore,
) -> Counts:
    """Read the source to its end, or until `stop`, and return what became of its records.

    The warehouse is held while there is a backlog and given up after the batch in hand when someone else waits for it.
    Raises `SecondIngesterError` where another process ingests this source into this warehouse.
    """
    total = Counts()
    with sole_ingester(warehouse.path, source.name), _rare_garbage_collection() as collect:
        feed = source.batches(positions(warehouse), limits or BatchLimits())
        while not stop() and (stretches := next(feed, None)) is not None:
            collect()
            if not stretches:
                continue
            with warehouse.hold(threads=1) as held:  # a batch is too small to be shared out: a tenth less work
                while stretches:
                    batch = build(stretches, warehouse.time_zone)
                    with held.transaction() as connection:
                        counts = store(connection, batch, stretches, source.name, now())
                    source.committed(stretches)
                    total += counts
                    on_batch(counts)
                    collect()
                    if held.wanted() or stop():
                        break
                    stretches = next(feed, ())
    return total


def positions(warehouse: Warehouse) -> dict[str, Position]:
    """Return how far each partition has been read, as the warehouse knows it."""
    try:
        with warehouse.read() as connection:
            rows = connection.execute(sql.load("ingest/positions.sql")).fetchall()
    except NoWarehouseError:
        return {}
    return {partition: Position(offset=offset, mark=mark) for partition, offset, mark in rows}


def store(connection: Connection, batch: Batch, stretches: Sequence[Stretch], source: str, at: datetime) -> Counts:
    """Store one batch with its positions, in the transaction that is open; return what became of its records."""
    tables = batch.projections | {"events": batch.events, "rejections": batch.rejections, "days": batch.days}
    with _batch(connection, tables):
        number = _scalar(connection, "ingest/next_batch.sql")
        fates = connection.sql(sql.load("ingest/fate.sql")).to_arrow_table()
        tally = _tally(fates)
        with _batch(connection, {"fates": fates}):
            connection.execute(sql.load("ingest/store_events.sql"), {"batch": number})
            if tally["conflict"]:
                connection.execute(sql.load("ingest/store_conflicts.sql"), {"batch": number})
            if tally["duplicate"] or tally["conflict"]:
                connection.execute(sql.load("ingest/store_repeats.sql"), {"batch": number})
            if tally["erased"]:
                connection.execute(sql.load("ingest/store_erased.sql"))
            for name in batch.projections:
                connection.execute(sql.load(f"projections/{name}/insert.sql"))
            connection.execute(sql.load("ingest/store_days.sql"), {"batch": number})
        quarantined, forgotten = _quarantine(connection, batch, number, at)
    counts = Counts(
        consumed=batch.consumed,
        stored=tally["new"],
        duplicates=tally["duplicate"] + len(batch.rejections) - quarantined - forgotten,
        conflicts=tally["conflict"],
        quarantined=quarantined,
        erased=tally["erased"] + forgotten,
    )
    _store_positions(connection, stretches)
    row = {each.name: getattr(counts, each.name) for each in fields(counts)}
    connection.execute(sql.load("ingest/store_batch.sql"), row | {"batch": number, "source": source, "at": at})
    return counts


def rebuild(warehouse: Warehouse, *, rows: int = 20_000, on_rows: Callable[[int], None] = lambda _rows: None) -> int:
    """Derive every projection anew from the raw log, in one transaction; return how many events were read.

    The result equals, row by row, what was stored as the events came.
    """
    read = 0
    with warehouse.recut() as connection, _rare_garbage_collection() as collect:
        for name in PROJECTIONS:
            connection.execute(sql.load(f"projections/{name}/delete.sql"))
        connection.execute(sql.load("ingest/forget_days.sql"))
        last_batch, last_ordinal = 0, -1
        while True:
            place = {"batch": last_batch, "ordinal": last_ordinal, "rows": rows}
            log = connection.execute(sql.load("ingest/log_after.sql"), place).fetchall()
            if not log:
                return read
            project_again(connection, log, warehouse.time_zone, days=True)
            last_batch, last_ordinal, _ = log[-1]
            read += len(log)
            on_rows(read)
            collect()


def project_again(connection: Connection, log: Sequence[tuple[int, int, bytes]], time_zone: str, *, days: bool) -> None:
    """Project events of the raw log, given as batch, ordinal and bytes, in the transaction that is open.

    `days` also notes which days their batches touched. Raises `ContractBrokeError` for what is no event any more.
    """
    batches, _, raws = zip(*log, strict=True)
    batch = build([Stretch(partition="log", records=raws, offsets=range(len(raws)), end=None)], time_zone)
    if len(batch.rejections):
        raise ContractBrokeError(batch.rejections.to_pylist()[0])
    places = pa.array(range(len(raws)), pa.int32())
    fates = pa.table({"place": places, "fate": pa.array(["new"] * len(raws)), "batch": pa.array(batches, pa.int64())})
    with _batch(connection, batch.projections | {"fates": fates, "days": batch.days}):
        for name in batch.projections:
            connection.execute(sql.load(f"projections/{name}/insert.sql"))
        if days:
            connection.execute(sql.load("ingest/store_days_again.sql"))


def _quarantine(connection: Connection, batch: Batch, number: int, at: datetime) -> tuple[int, int]:
    """Store what was rejected; return how many records are new there, and how many are of somebody who was erased."""
    if not len(batch.rejections):
        return 0, 0
    forgotten = _of_the_erased(connection, batch.rejections.column("raw").to_pylist())
    with registered(connection, {"batch_forgotten": forgotten}):
        connection.execute(sql.load("ingest/store_quarantine.sql"), {"batch": number, "at": at})
    return _scalar(connection, "ingest/quarantined_in.sql", {"batch": number}), len(forgotten)


def _of_the_erased(connection: Connection, raws: Sequence[bytes]) -> pa.Table:
    """Return the places of the records in which an id stands that there is a tombstone for."""
    tenants = [tenant for (tenant,) in connection.execute(sql.load("privacy/erased_tenants.sql")).fetchall()]
    named = [
        (place, tenant, kind, name)
        for place, raw in enumerate(raws if tenants else ())
        for tenant in tenants
        if may_be_of(raw, tenant)
        for name in ids_in(raw)
        for kind in (("visitor",) if names_a_visitor(raw) else ("visitor", "conversation"))
    ]
    columns = list(zip(*named, strict=True)) or [(), (), (), ()]
    kinds = (pa.int32(), pa.string(), pa.string(), pa.string())
    table = pa.table(list(map(pa.array, columns, kinds)), names=["place", "tenant", "kind", "id"])
    with registered(connection, {"batch_named": table}):
        return connection.sql(sql.load("ingest/erased_records.sql")).to_arrow_table()


def _store_positions(connection: Connection, stretches: Sequence[Stretch]) -> None:
    ends = {stretch.partition: stretch.end for stretch in stretches if stretch.end is not None}
    for partition, end in ends.items():
        connection.execute(
            sql.load("ingest/store_positions.sql"), {"partition": partition, "offset": end.offset, "mark": end.mark}
        )


def _tally(fates: pa.Table) -> Counter[str]:
    counted = fates.column("fate").value_counts()  # not record by record: this is on the way of every event
    return Counter({each["values"].as_py(): each["counts"].as_py() for each in counted})


def _scalar(connection: Connection, path: str, parameters: Mapping[str, Any] | None = None) -> int:
    ((value,),) = connection.execute(sql.load(path), parameters or {}).fetchall()
    return int(value)


def _batch(connection: Connection, tables: Mapping[str, pa.Table]) -> AbstractContextManager[None]:
    return registered(connection, {f"batch_{name}": table for name, table in tables.items()})


@contextmanager
def _rare_garbage_collection() -> Iterator[Callable[[], None]]:
    """Look for cycles between batches alone, by the function that is yielded, and not among the events of one.

    Events are trees without cycles; looking for cycles among so many of them costs a sixth of the time. But a source
    may leave some: kafka-python does with every poll, for weeks. What was there before is not looked at again.
    """
    calls = itertools.count(1)

    def collect() -> None:
        if next(calls) % _BATCHES_TO_A_COLLECTION == 0:
            gc.collect()

    was_enabled = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield collect
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
