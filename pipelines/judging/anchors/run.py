"""Keeps frozen retrievals in the warehouse and judges them anew, night by night."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date, datetime

import msgspec
import pyarrow as pa

from pipelines.io.registered import registered
from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.drift import Drift, Moved, chart
from pipelines.judging.anchors.line import Anchor
from pipelines.judging.verdict import Judge, JudgeIdentity, RetrievalToJudge, RetrievalVerdict
from schemas import sql

_ANCHORS = pa.schema(
    [
        ("tenant", pa.string()),
        ("retrieval_id", pa.string()),
        ("content", pa.string()),
        ("passages", pa.int32()),
        ("imported_at", pa.timestamp("us", tz="UTC")),
    ]
)
_VERDICTS = pa.schema(
    [("day", pa.date32())]
    + [(name, pa.string()) for name in ("judge", "model", "rubric_version", "prompt_hash", "tenant", "retrieval_id")]
    + [("ordinal", pa.int32()), ("status", pa.string()), ("query_grade", pa.int8()), ("need_grade", pa.int8())]
    + [("judged_at", pa.timestamp("us", tz="UTC"))]
)


def import_anchors(warehouse: Warehouse, anchors: Sequence[Anchor], at: datetime) -> int:
    """Add anchors and return how many are new. One that is there already stays as it was: it is frozen."""
    rows = [
        {
            "tenant": anchor.tenant,
            "retrieval_id": anchor.retrieval_id,
            "content": msgspec.json.encode(anchor).decode(),
            "passages": len(anchor.passages),
            "imported_at": at,
        }
        for anchor in anchors
    ]
    with warehouse.write() as connection:
        before = len(connection.execute(sql.load("night/read_anchors.sql")).fetchall())
        with registered(connection, {"new_anchors": pa.Table.from_pylist(rows, schema=_ANCHORS)}):
            connection.execute(sql.load("night/store_anchors.sql"))
        after = len(connection.execute(sql.load("night/read_anchors.sql")).fetchall())
    return after - before


def judge_anchors(warehouse: Warehouse, day: date, judge: Judge, *, now: Callable[[], datetime]) -> Drift | None:
    """Judge all anchors, past the store of verdicts, and return the chart after this night.

    None, and no call, where there are no anchors; None also where this judge sees them for the first time.
    """
    with warehouse.read() as connection:
        contents = connection.execute(sql.load("night/read_anchors.sql")).fetchall()
    retrievals = [msgspec.json.decode(content, type=Anchor).to_judge() for (content,) in contents]
    if not retrievals:
        return None
    verdicts = asyncio.run(all_verdicts(judge, retrievals))
    rows = [
        {
            **asdict(judge.identity),
            "day": day,
            "tenant": verdict.tenant,
            "retrieval_id": verdict.retrieval_id,
            "ordinal": passage.rank,
            "status": passage.status.value,
            "query_grade": passage.query_grade,
            "need_grade": passage.need_grade,
            "judged_at": now(),
        }
        for verdict in verdicts
        for passage in verdict.passages
    ]
    verdicts_of_night = pa.Table.from_pylist(rows, schema=_VERDICTS)
    with warehouse.write() as connection, registered(connection, {"new_anchor_verdicts": verdicts_of_night}):
        connection.execute(sql.load("night/store_anchor_verdicts.sql"))
    drifts = drift_until(warehouse, day, judge.identity)
    return drifts[-1] if drifts else None


async def all_verdicts(judge: Judge, retrievals: Sequence[RetrievalToJudge]) -> list[RetrievalVerdict]:
    """Return a judge's verdicts on retrievals, asked now."""
    return [verdict async for verdict in judge.judge(retrievals)]


def drift_until(warehouse: Warehouse, day: date, identity: JudgeIdentity) -> list[Drift]:
    """Return one judge's chart up to a day, oldest night first."""
    nights: defaultdict[date, list[Moved]] = defaultdict(list)
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("night/anchor_nights.sql"), asdict(identity) | {"day": day}).fetchall()
    for night, _tenant, _retrieval_id, moved, passages in rows:
        nights[night].append(Moved(moved=moved, passages=passages))
    return chart(nights)
