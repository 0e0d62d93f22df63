"""Decode quarantined records again; what has become an event is stored as if it had come now."""

from collections.abc import Callable, Sequence
from datetime import datetime

import pyarrow as pa

from pipelines.ingest.batch import build
from pipelines.ingest.decode import Rejection, decode
from pipelines.ingest.run import store
from pipelines.io.registered import registered
from pipelines.io.warehouse import Warehouse
from schemas import sql
from schemas.sources import Stretch


def replay(warehouse: Warehouse, *, now: Callable[[], datetime], reason: str | None = None) -> tuple[int, int]:
    """Try every waiting record (with this reason) again; return how many were released and how many wait on.

    All in one transaction. In the ledger a release moves a record from quarantined to what it became.
    """
    with warehouse.write() as connection:
        waiting = connection.execute(sql.load("ingest/quarantine_records.sql"), {"reason": reason}).fetchall()
        accepted = [row for row in waiting if not isinstance(decode(row[3]), Rejection)]
        if accepted:
            stretches = _stretches(accepted)
            store(connection, build(stretches, warehouse.time_zone), stretches, "quarantine", now())
            connection.execute(sql.load("ingest/account_release.sql"), {"released": len(accepted)})
            released = pa.table({"id": pa.array([row[0] for row in accepted], pa.int64())})
            with registered(connection, {"batch_released": released}):
                connection.execute(sql.load("ingest/release.sql"))
    return len(accepted), len(waiting) - len(accepted)


def _stretches(rows: Sequence[tuple[int, str, int, bytes]]) -> list[Stretch]:
    return [
        Stretch(partition=partition, records=[raw], offsets=[offset], end=None) for _, partition, offset, raw in rows
    ]
