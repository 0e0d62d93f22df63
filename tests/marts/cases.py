"""Cases of marts and of their checks: folders of CSV files, run in an empty database.

`<schema.table>.csv` holds rows of a table: what is left out or empty has the default below or is null, and `null` is
null. `params.json`, where there is one, may name `first_day`, `last_day`, and in `only` the rows that are compared.
`expect.csv` holds exactly those rows, with as many columns as one wants to compare; an empty field there is null.
"""

import csv
import json
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from pipelines.marts.catalog import checks, in_order
from schemas import sql

FOLDER = Path(__file__).parent
DAY = date(2026, 3, 2)

_EVENT = {"day": DAY, "tenant": "acme.example", "environment": "production", "conversation_id": "c1"}
_EVENT |= {"occurred_at": "2026-03-02T12:00:00Z", "event_id": "00000000-0000-4000-8000-000000000001"}
_NIGHT = {"judge": "labels", "model": "people", "rubric_version": "r1"}
_MART = {"day": DAY, "environment": "production", "tenant": "acme.example", "metric_version": "1"}
_SLICE = {"slice": "all", "value": "all", "measure": "irrelevant_query", "passages": 4, "retrievals": 2, "hits": 1}
DEFAULTS: dict[str, dict[str, Any]] = {
    "ingest.repeats": {"batch": 1, "day": DAY, "environment": "production", "tenant": "acme.example", "events": 1},
    "canonical.turns": _EVENT | {"turn_index": 0, "message": "a message"},
    "canonical.retrievals": _EVENT
    | {"turn_id": "t1", "outcome": "searched", "searched_query": "a query", "channels": "[]", "pins": "[]"}
    | {"resolution": "as_typed"},
    "canonical.passages": _EVENT
    | {"retrieval_id": "r1", "kind": "document", "passage_id": "p", "rank": 1, "text": "a text"},
    "night.nights": _NIGHT
    | {"day": DAY, "environments": "[production]", "frame_hash": "h", "frame_size": 0, "sample_size": 0, "seed": "s"}
    | {"watermark": 0, "prompt_hash": "h", "disclaim_version": "1", "published": "true"},
    "night.strata": {"day": DAY, "environment": "production", "tenant": "acme.example", "kind": "document"},
    "night.sample": _EVENT
    | {"turn_id": "t1", "kind": "document", "position": "first", "resolution": "as_typed", "u": 0.5, "probability": 1},
    "night.verdicts": _NIGHT
    | {"tenant": "acme.example", "prompt_hash": "h", "status": "judged", "is_final": "true", "calls": 1}
    | {"prompt_tokens": 0, "cached_tokens": 0, "cache_write_tokens": 0, "completion_tokens": 0}
    | {"judged_at": "2026-03-03T02:30:00Z"},
    "night.passage_verdicts": {"tenant": "acme.example", "passage_id": "p", "status": "judged"},
    "night.disclaims": _EVENT,
    "night.replayed_decisions": _EVENT
    | {"decision": "substantive", "reason": "standalone", "would_be": "substantive", "would_be_reason": "standalone"}
    | {"language": "en", "gate_version": "1"},
    "night.dated_questions": _EVENT | {"names": "none", "phrases": "[]"},
    "ingest.events": _EVENT
    | {"event_type": "page_view", "digest": "d", "batch": 1, "ordinal": 1, "partition": "p", "offset": 0, "raw": "{}"}
    | {"received_at": "2026-03-02T12:00:00Z", "sent_at": "2026-03-02T12:00:00Z", "producer_id": "web-1"},
    "ingest.batches": {"batch": 1, "source": "files", "committed_at": "2026-03-02T12:00:00Z"}
    | dict.fromkeys(("consumed", "stored", "duplicates", "conflicts", "quarantined", "erased"), 0),
    "marts.relevance_daily": _MART | _NIGHT | _SLICE | {"coverage": 1, "best": 0, "worst": 1, "pending": 0},
    "marts.relevance_strata": _MART
    | _NIGHT
    | _SLICE
    | {"kind": "document", "position": "first", "passages_squared": 0, "hits_squared": 0, "hits_passages": 0}
    | {"missing": 0, "pending": 0},
    "marts.worst_retrievals": _MART
    | {"retrieval_id": "r1", "conversation_id": "c1", "searched_query": "a query", "resolution": "as_typed"}
    | {"fault": "query", "irrelevant": 1, "judged": 1, "passages": "[]"},
    "marts.loss_daily": _MART
    | {"producer_id": "*", "received": 0, "numbered": 0, "gaps": 0, "reported_drops": 0, "duplicates": 0}
    | {"conflicts": 0, "late": 0, "skewed": 0, "quarantined": "[]"},
    "marts.gate_daily": _MART | {"turn": "all", "language": "*", "reason": "*", "rate": 0.5},
    "marts.gate_population": _MART | {"language": "*", "reason": "*", "rate": 0.5, "gate_version": "1"},
    "marts.date_questions_daily": _MART | {"share": 0.5, "empty": 0, "pinned": 0, "passages": 0, "pending": 0},
    "marts.disclaim_daily": _MART | {"turn": "all", "language": "*", "partly": 0, "rate": 0.5, "disclaim_version": "1"},
    "marts.fault_daily": _MART
    | _NIGHT
    | {
        "slice": "all",
        "value": "all",
        "passages": 4,
        "retrievals": 2,
        "coverage": 1,
        "best": 0,
        "worst": 1,
        "pending": 0,
    },
    "marts.answer_outcomes_daily": _MART
    | _NIGHT
    | {"turn": "all", "language": "*", "answers": 4, "coverage": 1, "best": 0, "worst": 1, "pending": 0}
    | {"disclaim_version": "1"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One folder."""

    folder: Path
    first_day: date = DAY
    last_day: date = DAY
    only: dict[str, str] = field(default_factory=dict)

    def rows(self, name: str) -> list[dict[str, str | None]]:
        """Return the rows of one of its files; an empty field is null."""
        with (self.folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return [{column: text or None for column, text in row.items()} for row in csv.DictReader(file)]

    def tables(self) -> list[str]:
        """Return the tables that it has rows for."""
        return sorted(path.stem for path in self.folder.glob("*.csv") if path.stem != "expect")


def read_case(folder: Path) -> Case:
    """Read the parameters of a case."""
    path = folder / "params.json"
    given = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    days = {name: date.fromisoformat(given[name]) for name in ("first_day", "last_day") if name in given}
    return Case(folder=folder, only=given.get("only", {}), **days)


def mart_cases(mart: str) -> list[Path]:
    """Return the folders of a mart's cases."""
    return sorted(path.parent for path in (FOLDER / mart).glob("*/expect.csv"))


def check_cases(mart: str) -> list[Path]:
    """Return the folders of the cases that make a mart's checks fire."""
    return sorted(path.parent for path in (FOLDER / mart / "checks").glob("*/expect.csv"))


def load(connection: duckdb.DuckDBPyConnection, case: Case) -> None:
    """Make every table and store the rows of the case."""
    for statements in sql.contracts().values():
        connection.execute(statements)
    for table in case.tables():
        given = [{name: text for name, text in row.items() if text is not None} for row in case.rows(table)]
        written = [
            {name: None if value == "null" else str(value) for name, value in (DEFAULTS[table] | row).items()}
            for row in given
        ]
        # every column by name: a table that is made from rows has the columns of its first row alone
        schema = pa.schema([(name, pa.string()) for (name,) in _columns(connection, table) if _is_in(written, name)])
        connection.register("given", pa.Table.from_pylist(written, schema=schema))
        connection.execute(f"insert into {table} by name from given")
        connection.unregister("given")


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[Any]:
    schema, _, name = table.partition(".")
    query = "select column_name from duckdb_columns() where schema_name = $schema and table_name = $name"
    return connection.execute(query, {"schema": schema, "name": name}).fetchall()


def _is_in(rows: list[dict[str, str | None]], column: str) -> bool:
    return any(column in row for row in rows)


def make(connection: duckdb.DuckDBPyConnection, case: Case, mart: str) -> None:
    """Make the mart, after those that it is made from where the case has no rows for them."""
    for each in in_order()[: in_order().index(mart) + 1]:
        if f"marts.{each}" not in case.tables():
            insert = f"insert into marts.{each} by name\n{sql.load(f'marts/{each}/query.sql')}"
            connection.execute(insert, {"first_day": case.first_day, "last_day": case.last_day})


def fired(connection: duckdb.DuckDBPyConnection, case: Case, mart: str) -> dict[str, list[dict[str, Any]]]:
    """Run the mart's checks; return the offending rows of those that found some."""
    found = {
        check.name: connection.sql(check.query, params={"day": case.last_day}).pl().to_dicts() for check in checks(mart)
    }
    return {name: rows for name, rows in found.items() if rows}


def compare(actual: list[dict[str, Any]], expected: list[dict[str, str | None]]) -> None:
    """Hold rows against the expected ones, in any order, by the columns that those have; figures to six places."""
    names = list(expected[0])
    found = sorted((_key(row, names) for row in actual), key=str)
    wanted = sorted((_key(row, names) for row in expected), key=str)
    assert [_exact(row) for row in found] == [_exact(row) for row in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert [_number(value) for value in one] == pytest.approx([_number(value) for value in other], abs=1e-6)


def _key(row: dict[str, Any], names: list[str]) -> list[str | None]:
    return [None if row[name] is None else str(row[name]) for name in names]


def _number(value: str | None) -> float:
    try:
        return float(value or 0)
    except ValueError:
        return 0.0


def _exact(row: list[str | None]) -> list[str | None]:
    return [None if value is None else "a figure" if "." in value and _is_number(value) else value for value in row]


def _is_number(value: str) -> bool:
    return value.replace(".", "", 1).replace("-", "").replace("e", "").isdigit()
