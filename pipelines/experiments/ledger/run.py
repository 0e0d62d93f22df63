"""Write runs of experiments to the warehouse and read them back; nothing is held while an experiment works."""

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import pyarrow as pa

from pipelines.errors import UsageError
from pipelines.experiments.comparison import Comparison, Outcome
from pipelines.experiments.design import Design
from pipelines.experiments.record import ItemRecord, RunRecord, StoredOutcome, StoredRun, StrategyRecord
from pipelines.experiments.result import Cell, Result
from pipelines.io.registered import registered
from pipelines.io.warehouse import Connection, Warehouse
from schemas import sql

_RESULTS = pa.schema(
    [(name, pa.string()) for name in ("run_id", "strategy", "item_id")]
    + [("repetition", pa.int32())]
    + [(name, pa.string()) for name in ("error", "unscored", "input_hash")]
    + [("fired", pa.bool_()), ("skipped", pa.bool_())]
    + [("passage_ids", pa.list_(pa.string())), ("findings", pa.list_(pa.string()))]
    + [("calls", pa.int32()), ("prompt_tokens", pa.int64()), ("completion_tokens", pa.int64())]
    + [("latency_ms", pa.float64())]
)
_SCORES = pa.schema(
    [(name, pa.string()) for name in ("run_id", "strategy", "item_id")]
    + [("repetition", pa.int32()), ("measure", pa.string()), ("score", pa.float64())]
)
_COMPARED = ("strategy", "measure", "items", "clusters", "control_mean", "mean", "difference", "within")
_TESTED = ("smallest_detectable", "p_sign", "p_permutation", "p_holm")


class Ledger:
    """The stored runs."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse

    def begin(self, design: Design, *, at: datetime) -> str:
        """Return the id of the run to fill: one of this design that misses items, or else a new one."""
        with self._warehouse.write() as connection:
            found = connection.execute(sql.load("experiments/unfinished_run.sql"), {"design": design.digest}).fetchone()
            if found is not None:
                return str(found[0])
            run_id = hashlib.sha256(f"{design.digest} {at.isoformat()}".encode()).hexdigest()[:10]
            connection.execute(sql.load("experiments/begin_run.sql"), _row_of(design, run_id, at))
            _insert(connection, "experiments/store_strategies.sql", "new_strategies", _strategies(design, run_id))
            _insert(connection, "experiments/store_items.sql", "new_items", _items(design, run_id))
        return run_id

    def keep(self, run_id: str, results: Sequence[Result]) -> None:
        """Store results with their scores, in the place of earlier ones of the same cells."""
        with self._warehouse.write() as connection, registered(connection, {"new_results": _results(run_id, results)}):
            for table in ("results", "scores"):
                connection.execute(sql.load(f"experiments/forget_{table}.sql"), {"run_id": run_id})
            connection.execute(sql.load("experiments/store_results.sql"))
            _insert(connection, "experiments/store_scores.sql", "new_scores", _scores(run_id, results))

    def finish(self, run_id: str, comparisons: Sequence[Comparison], *, at: datetime) -> None:
        """Mark a complete run as finished and store what it says; a run that misses items is not to be finished."""
        with self._warehouse.write() as connection:
            connection.execute(sql.load("experiments/finish_run.sql"), {"run_id": run_id, "at": at})
            if comparisons:
                rows = pa.Table.from_pylist([_row_of_comparison(run_id, each) for each in comparisons])
                _insert(connection, "experiments/store_comparisons.sql", "new_comparisons", rows)

    def runs(self, prefix: str = "") -> list[RunRecord]:
        """Return the runs whose id begins so, the oldest first."""
        with self._warehouse.read() as connection:
            return _runs(connection, prefix)

    def load(self, prefix: str) -> StoredRun:
        """Return the one run whose id begins so; raises `UsageError` where none does, or several."""
        with self._warehouse.read() as connection:
            found = _runs(connection, prefix)
            if len(found) != 1:
                raise UsageError(
                    f"run {prefix!r}",
                    f"{'several begin' if found else 'none begins'} so",
                    "See the runs: nightcheck experiment list",
                )
            (run,) = found
            given = {"run_id": run.run_id}
            strategies = _records(connection, "strategies_of", StrategyRecord, given)
            items = connection.execute(sql.load("experiments/items_of.sql"), given).fetchall()
            results = _read_results(connection, given)
            seen = connection.execute(sql.load("experiments/seen_items.sql"), given).fetchall()
        return StoredRun(
            run=run,
            strategies=tuple(strategies),
            items=tuple(
                ItemRecord(
                    item_id=item_id, tenant=tenant, conversation_id=talk, tags=tuple(tags), relevant=frozenset(relevant)
                )
                for item_id, tenant, talk, tags, relevant in items
            ),
            results=results,
            seen=frozenset(item for (item,) in seen),
        )

    def outcomes(self) -> list[StoredOutcome]:
        """Return what all complete runs say, the oldest run first."""
        with self._warehouse.read() as connection:
            rows = connection.execute(sql.load("experiments/outcomes.sql")).fetchall()
        names = [each.name for each in fields(StoredOutcome)]
        read = [dict(zip(names, row, strict=True)) for row in rows]
        return [StoredOutcome(**(row | {"outcome": Outcome(row["outcome"])})) for row in read]


def _row_of(design: Design, run_id: str, at: datetime) -> dict[str, Any]:
    same = (
        "dataset",
        "dataset_hash",
        "control",
        "retriever",
        "judge",
        "harness_version",
        "k",
        "repetitions",
        "expected",
    )
    return {name: getattr(design, name) for name in same} | {
        "run_id": run_id,
        "design": design.digest,
        "started_at": at,
    }


def _strategies(design: Design, run_id: str) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {"run_id": run_id, "position": at, "strategy": each.name, "version": each.version, "summary": each.summary}
            for at, each in enumerate(design.strategies)
        ]
    )


def _items(design: Design, run_id: str) -> pa.Table:
    schema = pa.schema(
        [(name, pa.string()) for name in ("run_id", "item_id", "tenant", "conversation_id")]
        + [("tags", pa.list_(pa.string())), ("relevant", pa.list_(pa.string()))]
    )
    rows = [
        {
            "run_id": run_id,
            "item_id": each.item_id,
            "tenant": each.tenant,
            "conversation_id": each.conversation_id,
            "tags": list(each.tags),
            "relevant": sorted(passage for passage, grade in (each.qrels or {}).items() if grade > 0),
        }
        for each in design.items
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def _results(run_id: str, results: Sequence[Result]) -> pa.Table:
    rows = [
        {name: getattr(each, name) for name in _RESULTS.names if name != "run_id"}
        | {"run_id": run_id, "passage_ids": list(each.passage_ids), "findings": list(each.findings)}
        for each in results
    ]
    return pa.Table.from_pylist(rows, schema=_RESULTS)


def _scores(run_id: str, results: Sequence[Result]) -> pa.Table:
    rows = [
        {"run_id": run_id, "strategy": each.strategy, "item_id": each.item_id, "repetition": each.repetition}
        | {"measure": measure, "score": score}
        for each in results
        for measure, score in each.scores.items()
    ]
    return pa.Table.from_pylist(rows, schema=_SCORES)


def _row_of_comparison(run_id: str, each: Comparison) -> dict[str, Any]:
    interval = each.interval
    return {name: getattr(each, name) for name in (*_COMPARED, *_TESTED)} | {
        "run_id": run_id,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "method": None if interval is None else interval.method.value,
        "wins": each.tally.wins,
        "losses": each.tally.losses,
        "ties": each.tally.ties,
        "outcome": each.outcome.value,
    }


def _runs(connection: Connection, prefix: str) -> list[RunRecord]:
    return _records(connection, "runs", RunRecord, {"prefix": prefix})


def _records(connection: Connection, query: str, record: type[Any], given: dict[str, str]) -> list[Any]:
    names = [each.name for each in fields(record)]
    rows = connection.execute(sql.load(f"experiments/{query}.sql"), given).fetchall()
    return [record(**dict(zip(names, row, strict=True))) for row in rows]


def _read_results(connection: Connection, given: dict[str, str]) -> dict[Cell, Result]:
    scores: dict[Cell, dict[str, float | None]] = {}
    for strategy, item, repetition, measure, score in connection.execute(
        sql.load("experiments/scores_of.sql"), given
    ).fetchall():
        scores.setdefault((strategy, item, repetition), {})[measure] = score
    names = [name for name in _RESULTS.names if name != "run_id"]
    results = {}
    for row in connection.execute(sql.load("experiments/results_of.sql"), given).fetchall():
        read = dict(zip(names, row, strict=True))
        lists = {name: tuple(read[name]) for name in ("passage_ids", "findings")}
        cell = (read["strategy"], read["item_id"], read["repetition"])
        results[cell] = Result(**(read | lists), scores=scores.get(cell, {}))
    return results


def _insert(connection: Connection, statement: str, name: str, rows: pa.Table) -> None:
    with registered(connection, {name: rows}):
        connection.execute(sql.load(statement))
