"""Keeps what calls have cost, and holds every run of a night to what the runs before it have left of its budget."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from typing import Literal

import pyarrow as pa

from pipelines.io.registered import registered
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.parts import total
from pipelines.judging.verdict import Judge, RetrievalVerdict, Usage
from schemas import sql

_SPENDING = pa.schema(
    [("day", pa.date32())]
    + [(name, pa.string()) for name in ("environment", "tenant", "what", "model")]
    + [(field.name, pa.float64() if field.name == "cost" else pa.int64()) for field in fields(Usage)]
    + [("spent_at", pa.timestamp("us", tz="UTC"))]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What money is spent on: a night's verdicts, its frozen passages, or the measuring of its noise."""

    day: date
    what: Literal["verdicts", "anchors", "noise"]
    model: str
    #: frozen passages belong to none
    environment: str | None = None


def within_budget(warehouse: Warehouse, day: date, judge: Judge, *, noise: bool = False) -> Judge:
    """Return a judge that may spend on this night what its budget still holds; one that is free stays as it is.

    Measuring the `noise` of a night has a budget of its own, as large as the night's.
    """
    if not isinstance(judge, OpenAIJudge):
        return judge
    spent = sql.load("night/spent_on_noise.sql" if noise else "night/spent.sql")
    with warehouse.read() as connection:
        return judge.after(dict(connection.execute(spent, {"day": day}).fetchall()))


def store_spending(
    connection: Connection, purpose: Purpose, verdicts: Iterable[RetrievalVerdict], at: datetime
) -> None:
    """Add what verdicts have cost to the ledger, in the transaction that stores them."""
    usages: defaultdict[str, list[Usage]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.usage.calls:
            usages[verdict.tenant].append(verdict.usage)
    if not usages:
        return
    rows = [
        asdict(purpose) | {"tenant": tenant, "spent_at": at} | asdict(total(of_tenant))
        for tenant, of_tenant in sorted(usages.items())
    ]
    with registered(connection, {"new_spending": pa.Table.from_pylist(rows, schema=_SPENDING)}):
        connection.execute(sql.load("night/store_spending.sql"))
