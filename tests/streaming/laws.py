"""What must hold after every fault: the conservation law, equal projections, a rebuild that changes nothing."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from pipelines.ingest.conservation import violations
from pipelines.ingest.run import PROJECTIONS, Counts, ingest, rebuild
from pipelines.io.clock import now
from pipelines.io.files import FileSource
from pipelines.io.warehouse import Warehouse
from schemas import sql

Rows = dict[str, list[Any]]


def projections(warehouse: Warehouse) -> Rows:
    """Return every canonical table as sorted rows."""
    with warehouse.read() as connection:
        return {name: connection.table(f"canonical.{name}").order("all").fetchall() for name in PROJECTIONS}


def totals(warehouse: Warehouse) -> Counts:
    """Return the sum over all batches, as the warehouse tells it."""
    with warehouse.read() as connection:
        rows = connection.sql("from ingest.batches").pl()
    return Counts(**{each.name: int(rows[each.name].sum()) for each in fields(Counts)})


def undisturbed(folder: Path, records: list[bytes]) -> Rows:
    """Return the projections of a run over the records in which nothing happens."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "all.jsonl"
    file.write_bytes(b"".join(record + b"\n" for record in records))
    warehouse = Warehouse(folder / "warehouse.duckdb", memory_limit="1GB")
    ingest(FileSource([file]), warehouse, now=now)
    return projections(warehouse)


def assert_laws(warehouse: Warehouse, expected: Rows, *, stored: int | None = None) -> None:
    """Assert conservation, equality with the undisturbed run, one event per id, and that a rebuild changes nothing."""
    counts = totals(warehouse)
    assert counts.consumed == sum(
        (counts.stored, counts.duplicates, counts.conflicts, counts.quarantined, counts.erased)
    ), counts
    with warehouse.read() as connection:
        (account,) = connection.sql(sql.load("ops/conservation.sql")).pl().to_dicts()
        assert violations(account) == []
        ((rows, distinct),) = connection.execute(
            "select count(*), count(distinct (tenant, event_id)) from ingest.events"
        ).fetchall()
    assert rows == distinct == counts.stored
    if stored is not None:
        assert rows == stored
    found = projections(warehouse)
    assert found == expected
    rebuild(warehouse)
    assert projections(warehouse) == expected
