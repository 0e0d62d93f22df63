"""Draw the sample of a day into the warehouse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from pipelines.io.registered import registered
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.sampling.allocate import allocate_strata
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What was drawn: how many of how many, and a hash that is equal for equal frames."""

    day: date
    frame_size: int
    sample_size: int
    frame_hash: str
    watermark: int


def sample(
    warehouse: Warehouse,
    day: date,
    *,
    environments: Sequence[str],
    seed: str,
    cap: int | None,
    note: Callable[[Connection, Sample], None] = lambda _connection, _sample: None,
) -> Sample:
    """Draw the day's sample and store it with its strata, in the place of an earlier one.

    The draw depends on the ids, the strata, the seed and the cap alone, so that drawing again gives the same sample.
    `cap` is per tenant; without one all are drawn. Verdicts that were linked are linked anew by the judge. `note`
    writes, in the transaction of the sample, what goes with it.
    """
    with warehouse.write() as connection:
        at = {"day": day, "environments": list(environments)}
        connection.execute(sql.load("night/frame.sql"), at | {"seed": seed})
        strata = connection.sql(sql.load("night/frame_strata.sql")).pl()
        ((frame_hash,),) = connection.execute(sql.load("night/frame_hash.sql")).fetchall()
        ((watermark,),) = connection.execute(sql.load("night/watermark.sql")).fetchall()
        allocation = allocate_strata(strata, cap=cap)
        for table in ("sample", "strata"):
            connection.execute(sql.load(f"night/forget_{table}.sql"), {"day": day})
        _store(connection, day, allocation)
        drawn = Sample(
            day=day,
            frame_size=int(allocation["frame_size"].sum()),
            sample_size=int(allocation["sample_size"].sum()),
            frame_hash=frame_hash,
            watermark=watermark,
        )
        note(connection, drawn)
    return drawn


def _store(connection: Connection, day: date, allocation: pl.DataFrame) -> None:
    with registered(connection, {"allocation": allocation.to_arrow()}):
        connection.execute(sql.load("night/store_strata.sql"), {"day": day})
        connection.execute(sql.load("night/draw.sql"), {"day": day})
