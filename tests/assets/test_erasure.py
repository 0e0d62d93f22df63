"""Erasure reaches every place in which data can rest: what a visitor left in all of them is in none afterwards."""

import gzip
import json
import shutil
import uuid
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from assets.resources import Nightcheck
from pipelines.cli import app
from pipelines.io.embeddings import VectorFile
from pipelines.io.spool import SpoolWriter
from pipelines.io.warehouse import Warehouse
from tests.assets.runs import run_day

DAY = date(2026, 11, 29)
TENANT = "help.example.com"
#: stands in everything that the visitor has written, was shown, or is known by
MARK = "quokka7f3a"
GONE, STAYS = f"visitor-{MARK}", "visitor-who-stays"


def _event(kind: str, visitor: str, name: str, payload: dict[str, Any]) -> bytes:
    envelope = {
        "event_id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {name}")), "event_type": kind, "schema_version": 1,
        "tenant": TENANT, "environment": "production", "occurred_at": "2026-11-29T10:00:00+00:00",
        "conversation_id": f"c-{name}", "visitor_id": visitor, "payload": payload,
    }  # fmt: skip
    return json.dumps(envelope).encode()


def _traces(visitor: str, name: str) -> list[bytes]:
    """Return one event of every type, with the name in every text that it has."""
    said = f"why does the porch light of {name} flicker at dusk every evening"
    passages = [
        {"passage_id": f"c-{name}#{rank}", "kind": "conversation", "text": f"{name} once asked about gutters", "rank": rank,
         "title": f"chat with {name}", "source_id": f"c-{name}", "source_date": "2026-10-06"}
        for rank in (1, 2)
    ]  # fmt: skip
    search = {
        "retrieval_id": f"r-{name}", "turn_id": f"t-{name}", "outcome": "searched", "message": said, "searched_query": said,
        "resolution": "as_typed", "keywords": {"high_level": [name], "low_level": [name]}, "passages": passages,
        "window": {"start": "2026-11-01T00:00:00Z", "end": "2026-11-08T00:00:00Z"},
        "pins": [{"item_id": f"i-{name}", "item_type": "todo", "text": f"call {name}"}],
    }  # fmt: skip
    call = {"purpose": "answer", "provider": "p", "model": "m", "prompt_tokens": 1, "completion_tokens": 1}
    payloads: dict[str, dict[str, Any]] = {
        "turn": {"turn_id": f"t-{name}", "turn_index": 0, "message": said, "answer": f"I do not know, {name}. Sorry about it.",
                 "gate": {"decision": "substantive", "reason": "long", "version": "1"}},
        "retrieval": search,
        "model_call": call | {"call_id": f"m-{name}", "turn_id": f"t-{name}"},
        "page_view": {"page_id": f"p-{name}", "path": f"/account/{name}", "referrer": f"https://example.org/{name}"},
        "interaction": {"interaction_id": f"n-{name}", "kind": "link_clicked", "target": f"/{name}", "turn_id": f"t-{name}"},
        "conversion": {"conversion_id": f"v-{name}", "kind": "order"},
        "exposure": {"experiment": "e", "variant": "v", "unit_id": f"u-{name}"},
    }  # fmt: skip
    return [_event(kind, visitor, name, payload) for kind, payload in payloads.items()]


def _records() -> list[bytes]:
    others = [each for number in range(4) for each in _traces(STAYS, f"neighbour-{number}")]
    conflict = _event("turn", GONE, MARK, {"turn_id": f"t-{MARK}", "turn_index": 0, "message": f"not that, {MARK}"})
    broken = [
        _event("turn", GONE, "late", {"turn_id": "t-late", "message": f"{MARK} without an index"}),
        json.dumps({"tenant": TENANT, "conversation_id": f"c-{MARK}", "payload": MARK}).encode(),
        f'{{"tenant": "{TENANT}", "visitor_id": "{GONE}", "message": "torn off by'.encode(),
    ]
    return [*_traces(GONE, MARK), *others, conflict, *broken]


def _run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a home in which the visitor has left traces wherever anything is kept; to be copied, not written to."""
    home = tmp_path_factory.mktemp("planted") / "home"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("NIGHTCHECK_HOME", str(home))
        _plant(home, home.with_name("events.jsonl"))
        yield home


@pytest.fixture
def home(planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home of the test's own, with all those traces."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home" / "dagster"))
    return shutil.copytree(planted, tmp_path / "home")


def _plant(home: Path, events: Path) -> None:
    events.write_bytes(b"\n".join(_records()) + b"\n")
    _run("ingest", str(events))
    with SpoolWriter(home / "spool") as writer:
        writer.append(_records())
    (home / "dagster").mkdir()
    (home / "dagster" / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    with dg.DagsterInstance.local_temp(str(home / "dagster")) as instance:
        assert run_day(DAY, Nightcheck(home=str(home), judge="lexical", sample="all"), instance).success
    _run("dataset", "harvest", "november", "--from", str(DAY), "--to", str(DAY), "--held-out", "0")
    VectorFile(home / "embeddings.bin").write({"a digest": pa.array([1.0, 2.0]).to_numpy().astype("float32")})
    _plant_an_alert_and_a_run(home)


def _plant_an_alert_and_a_run(home: Path) -> None:
    items = (home / "datasets" / "november" / "tuning" / "items.jsonl").read_text().splitlines()
    (theirs,) = (json.loads(item)["item_id"] for item in items if MARK in item)
    (others, *_) = (json.loads(item)["item_id"] for item in items if MARK not in item)
    with Warehouse(home / "warehouse.duckdb").write() as connection:
        for item in (theirs, others):
            found = {"item": item, "tenant": TENANT, "passages": [f"c-{MARK}#1", "d-1"]}
            connection.execute(
                "insert into experiments.run_items values ('run', $item, $tenant, 'c', ['first'], $passages)", found
            )
            connection.execute(
                "insert into experiments.results by name select 'run' as run_id, 'raw' as strategy, $item as item_id, "
                "0 as repetition, 'h' as input_hash, false as fired, false as skipped, $passages as passage_ids, "
                "[]::varchar[] as findings, 0 as calls where $tenant is not null",
                found,
            )
        connection.execute(
            "insert into alerts.notices by name select 'n' as notice_id, 'fleet' as rule, 'production' as environment, "
            "$day as day, $day as opened, 'opened' as what, true as due, 'told' as text, [$tenant] as tenants, "
            "[$worst] as worst",
            {"day": DAY, "tenant": TENANT, "worst": f"{TENANT}/r-{MARK}"},
        )


def _files_with(root: Path, mark: bytes) -> set[str]:
    return {path.relative_to(root).parts[0] for path in root.rglob("*") if path.is_file() and mark in _bytes(path)}


def _bytes(path: Path) -> bytes:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".parquet":
        return json.dumps(pq.read_table(path).to_pylist(), default=str).encode()
    return path.read_bytes()


def _tables_with(home: Path, mark: str) -> Iterator[str]:
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        tables = connection.execute("select schema_name, table_name from duckdb_tables()").fetchall()
        for schema, name in tables:
            # `raw` is bytes, which are shown as they are where they are printable
            rows = connection.execute(f"select * from {schema}.{name}").fetchall()  # noqa: S608 - names of our own tables
            if mark in str(rows):
                yield f"{schema}.{name}"


def test_what_a_visitor_left_anywhere_is_nowhere_afterwards(home: Path, tmp_path: Path) -> None:
    """Log, quarantine, projections, verdicts, marts, files, sets, runs, alerts, spool, cache, pages: planted, then gone."""
    assert _files_with(home, MARK.encode()) == {"dagster", "datasets", "published", "spool", "warehouse.duckdb"}
    planted = set(_tables_with(home, MARK))
    assert {
        "alerts.notices", "canonical.conversions", "canonical.exposures", "canonical.interactions", "canonical.model_calls",
        "canonical.page_views", "canonical.passages", "canonical.retrievals", "canonical.turns", "experiments.results",
        "experiments.run_items", "ingest.conflicts", "ingest.events", "ingest.quarantine", "marts.worst_retrievals",
        "night.passage_verdicts", "night.sample",
    } <= planted  # fmt: skip

    erased = _run("erase", "--tenant", TENANT, "--visitor", GONE, "--json")

    report = json.loads(erased.output)
    assert report["leftovers"] == []
    assert erased.exit_code == 0
    assert list(_tables_with(home, MARK)) == []
    assert _files_with(home, MARK.encode()) == set()
    assert (report["caches"], report["quarantined"]) == (1, 3)
    assert report["pages"] > 0
    assert not (home / "embeddings.bin").exists()
    assert b"neighbour-1" in (home / "warehouse.duckdb").read_bytes()


def test_what_comes_again_is_stored_nowhere_and_a_rebuild_keeps_the_day_open(home: Path, tmp_path: Path) -> None:
    """The file once more: broken records too are known for the visitor's; the night of the day is due, also rebuilt."""
    _run("erase", "--tenant", TENANT, "--visitor", GONE)
    (tmp_path / "again.jsonl").write_bytes(b"\n".join(_records()) + b"\n")

    _run("ingest", str(tmp_path / "again.jsonl"))
    _run("rebuild")

    assert list(_tables_with(home, MARK)) == []
    status = json.loads(_run("status", "--json").output)
    assert status["violations"] == []
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        open_days = connection.execute(
            "select day from ingest.batch_days group by day having max(batch) > (select max(watermark) from night.nights)"
        ).fetchall()
    assert open_days == [(DAY,)]


def test_the_pages_that_dagster_keeps_can_still_be_read(home: Path) -> None:
    """The page of the worst retrievals shows the others' rows, and that something was erased."""
    _run("erase", "--tenant", TENANT, "--visitor", GONE)

    with dg.DagsterInstance.local_temp(str(home / "dagster")) as instance:
        record = instance.get_latest_materialization_event(dg.AssetKey("worst_retrievals"))

    assert record is not None
    assert record.asset_materialization is not None
    table = record.asset_materialization.metadata["table"]
    assert isinstance(table, dg.TableMetadataValue)
    retrievals = [row.data["retrieval_id"] for row in table.records]
    assert "(erased)" in retrievals
    assert "r-neighbour-1" in retrievals
