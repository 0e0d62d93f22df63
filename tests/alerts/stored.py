"""Nights as the night stores them: samples and verdicts in a warehouse."""

from collections.abc import Sequence
from datetime import timedelta

import pyarrow as pa

from pipelines.alerts.night import Night
from pipelines.io.warehouse import Connection, Warehouse
from schemas import sql
from tests.alerts.build import day

ENVIRONMENT = "production"


def store(warehouse: Warehouse, nights: Sequence[Night], *, unjudged: int = 0) -> None:
    """Store these nights in place of those of the same days; `unjudged` retrievals of each have no verdict yet."""
    with warehouse.write() as connection:
        days = [night.day for night in nights]
        for table in ("sample", "strata", "nights"):
            connection.execute(f"delete from night.{table} where list_contains($days, day)", {"days": days})  # noqa: S608 - from above
        connection.execute("delete from canonical.passages where list_contains($days, day)", {"days": days})
        connection.execute(sql.load("alerts/forget_sums.sql"), {"days": days})
        for night in nights:
            _forget_verdicts(connection, night)
        insert(connection, "night.nights", [_night(night) for night in nights])
        insert(connection, "night.strata", [row for night in nights for row in _strata(night)])
        insert(connection, "night.sample", [row for night in nights for row in _sample(night)])
        insert(connection, "canonical.passages", [row for night in nights for row in _returned(night)])
        insert(connection, "night.verdicts", [row for night in nights for row in _verdicts(night, unjudged)])
        insert(connection, "night.passage_verdicts", [row for night in nights for row in _passages(night)])


def publish_rates(warehouse: Warehouse, nights: int) -> None:
    """Publish 20 % for each night and 60 % for the last, all of the growth the query's."""
    rates = {"irrelevant_need": (0.2, 0.6), "fault_query": (0.1, 0.5), "fault_retriever": (0.1, 0.1)}
    published = [
        {
            "day": day(number), "environment": ENVIRONMENT, "tenant": "acme.example", "slice": "kind", "value": "document",
            "measure": measure, "rate": rate, "low": rate - 0.1, "high": rate + 0.1, "passages": 100, "retrievals": 20,
            "effective_n": 60.0, "hits": round(rate * 100), "coverage": 1.0, "best": rate, "worst": rate, "pending": 0,
            "metric_version": "1", "judge": "labels", "model": "none", "rubric_version": "1",
        }
        for number in range(nights)
        for measure, (usual, last) in rates.items()
        for rate in [last if number == nights - 1 else usual]
    ]  # fmt: skip
    sums = [
        {name: row[name] for name in ("day", "environment", "tenant", "slice", "value", "measure", "judge", "model", "rubric_version")}
        | {"kind": "document", "position": "first", "frame_size": 20, "sample_size": 20, "retrievals": 20, "passages": 100,
           "hits": row["hits"], "passages_squared": 500, "hits_squared": 0, "hits_passages": 0, "missing": 0, "pending": 0}
        for row in published
    ]  # fmt: skip
    rates_alone = [row for row in published if row["measure"] == "irrelevant_need"]
    faults = [
        {name: value for name, value in row.items() if name != "measure"} | {"fault": str(row["measure"])[6:]}
        for row in published
        if row["measure"] != "irrelevant_need"
    ]
    with warehouse.write() as connection:
        insert(connection, "marts.relevance_daily", rates_alone)
        insert(connection, "marts.fault_daily", faults)
        insert(connection, "marts.relevance_strata", sums)


def insert(connection: Connection, table: str, rows: Sequence[dict[str, object]]) -> None:
    """Insert rows by name."""
    if not rows:  # a table without columns is none
        return
    connection.register("rows_to_insert", pa.Table.from_pylist(list(rows)))
    connection.execute(f"insert into {table} by name from rows_to_insert")
    connection.unregister("rows_to_insert")


def _forget_verdicts(connection: Connection, night: Night) -> None:
    for table in ("verdicts", "passage_verdicts"):
        query = f"delete from night.{table} where starts_with(verdict_key, $day)"  # noqa: S608 - from above
        connection.execute(query, {"day": night.day.isoformat()})


def _night(night: Night) -> dict[str, object]:
    return {
        "day": night.day, "environments": [ENVIRONMENT], "frame_hash": "", "frame_size": 1, "sample_size": 1, "seed": "s",
        "cap": 40, "watermark": 0, "judge": "labels", "model": night.instrument, "rubric_version": "1", "prompt_hash": "",
        "disclaim_version": "1", "published": True,
    }  # fmt: skip


def _strata(night: Night) -> list[dict[str, object]]:
    return [
        {
            "day": night.day, "environment": ENVIRONMENT, "tenant": leaf.tenant, "kind": leaf.kind, "position": leaf.position,
            "frame_size": size.frame, "sample_size": size.drawn,
        }
        for leaf, size in zip(night.leaves, night.strata, strict=True)
    ]  # fmt: skip


def _sample(night: Night) -> list[dict[str, object]]:
    return [
        {
            "day": night.day, "environment": ENVIRONMENT, "tenant": leaf.tenant, "kind": leaf.kind, "position": leaf.position,
            "retrieval_id": key, "event_id": _event_id(key), "turn_id": key, "conversation_id": "c",
            "resolution": "as_typed", "u": 0.5, "probability": 1.0, "verdict_key": key,
        }
        for key, leaf in ((key, night.leaves[night.leaf[row]]) for key, row in _retrievals(night))
    ]  # fmt: skip


def _event_id(key: str) -> str:
    return f"00000000-0000-0000-0000-{int(key.split()[1]):012d}"


def _returned(night: Night) -> list[dict[str, object]]:
    """Return the passages; of a mixed retrieval the first three are documents."""
    return [
        {
            "day": night.day, "tenant": leaf.tenant, "environment": ENVIRONMENT, "event_id": _event_id(key),
            "occurred_at": f"{night.day} 12:00:00+00", "conversation_id": "c", "retrieval_id": key, "ordinal": ordinal,
            "passage_id": f"d-{ordinal}", "rank": ordinal,
            "kind": leaf.kind if leaf.kind != "mixed" else "document" if ordinal <= 3 else "conversation",
        }
        for key, row in _retrievals(night)
        for leaf in [night.leaves[night.leaf[row]]]
        for ordinal in range(1, int(night.judged[row]) + 1)
    ]  # fmt: skip


def _verdicts(night: Night, unjudged: int) -> list[dict[str, object]]:
    judged_at = f"{night.day + timedelta(days=1)} 02:30:00+00"
    return [
        {
            "tenant": night.leaves[night.leaf[row]].tenant, "verdict_key": key, "judge": "labels", "model": night.instrument,
            "rubric_version": "1", "prompt_hash": "", "status": "judged", "is_final": number >= unjudged, "calls": 0,
            "prompt_tokens": 0, "cached_tokens": 0, "cache_write_tokens": 0, "completion_tokens": 0, "judged_at": judged_at,
        }
        for number, (key, row) in enumerate(_retrievals(night))
    ]  # fmt: skip


def _passages(night: Night) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for key, row in _retrievals(night):
        for ordinal in range(1, int(night.judged[row]) + 1):
            irrelevant = ordinal <= night.irrelevant[row]
            grades = {"query_grade": 0 if irrelevant else 2, "need_grade": 0 if irrelevant else 2}
            at = {"tenant": night.leaves[night.leaf[row]].tenant, "verdict_key": key, "ordinal": ordinal}
            rows.append({**at, **grades, "passage_id": f"d-{ordinal}", "status": "judged"})
    return rows


def _retrievals(night: Night) -> list[tuple[str, int]]:
    """Return each retrieval's key and its row."""
    rows = [row for row, count in enumerate(night.count.tolist()) for _ in range(count)]
    return [(f"{night.day} {number}", row) for number, row in enumerate(rows)]
