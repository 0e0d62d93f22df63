"""Draw the sample of a day into the warehouse."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

import pyarrow as pa

from pipelines.io.warehouse import Connection, Warehouse
from pipelines.sampling.allocation import allocate
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What was drawn: how many of how many, and a hash that is equal for equal frames."""

    day: date
    frame_size: int
    sample_size: int
    frame_hash: str
    watermark: int


def sample(warehouse: Warehouse, day: date, *, environments: Sequence[str], seed: str, cap: int) -> Sample:
    """Draw the day's sample and store it with its strata, in the place of an earlier one.

    The draw depends on the ids, the strata, the seed and the cap alone, so that drawing again gives the same sample.
    `cap` is per tenant. Verdicts that were linked to the sample are linked anew by the judge.
    """
    with warehouse.write() as connection:
        at = {"day": day, "environments": list(environments)}
        connection.execute(sql.load("night/frame.sql"), at | {"seed": seed})
        strata = connection.execute(sql.load("night/frame_strata.sql")).fetchall()
        ((frame_hash,),) = connection.execute(sql.load("night/frame_hash.sql")).fetchall()
        ((watermark,),) = connection.execute(sql.load("night/watermark.sql")).fetchall()
        allocation = _allocation(strata, cap)
        for table in ("sample", "strata"):
            connection.execute(sql.load(f"night/forget_{table}.sql"), {"day": day})
        _store(connection, day, allocation)
    drawn = sum(allocation.column("sample_size").to_pylist())
    return Sample(
        day=day,
        frame_size=sum(size for *_, size in strata),
        sample_size=drawn,
        frame_hash=frame_hash,
        watermark=watermark,
    )


def _allocation(strata: Sequence[tuple[str, str, str, str, int]], cap: int) -> pa.Table:
    sizes: list[int] = []
    for _, tenants in groupby(strata, key=lambda stratum: stratum[:2]):
        sizes += allocate([size for *_, size in tenants], cap)
    environment, tenant, kind, position, frame_size = zip(*strata, strict=True) if strata else ((),) * 5
    return pa.table(
        {
            "environment": pa.array(environment, pa.string()),
            "tenant": pa.array(tenant, pa.string()),
            "kind": pa.array(kind, pa.string()),
            "position": pa.array(position, pa.string()),
            "frame_size": pa.array(frame_size, pa.int64()),
            "sample_size": pa.array(sizes, pa.int64()),
        }
    )


def _store(connection: Connection, day: date, allocation: pa.Table) -> None:
    connection.register("allocation", allocation)
    try:
        connection.execute(sql.load("night/store_strata.sql"), {"day": day})
        connection.execute(sql.load("night/draw.sql"), {"day": day})
    finally:
        connection.unregister("allocation")
