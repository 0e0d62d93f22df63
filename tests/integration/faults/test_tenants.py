"""Keys and bodies of many tenants, from the collector to every output: no row in the wrong place."""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from pipelines.cli import app
from pipelines.collect.app import Collector, make_app
from pipelines.collect.run import Gathering, create_key, keyring
from pipelines.io.spool import SpoolWriter
from pipelines.io.warehouse import Warehouse
from pipelines.marts.catalog import MARTS
from pipelines.tenants.name import normalise
from tests.streaming.traffic import event

pytestmark = [pytest.mark.integration, pytest.mark.property]
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
TENANTS = ("a.example.com", "b.example.com", "a.b.example.com", "example.com", "xn--bcher-kva.example")
CLAIMS = (*TENANTS, "A.Example.com", "bücher.example", "a.example.com.", "a.example.com/b", "")
#: a tenant within a text, as one word; another one in what is searched than in what is found
MARK = re.compile("(?:qq|pp)([0-9a-f]{10,})(?:qq|pp)")
#: the key's tenant, the tenant that the event claims, the number that makes all its ids
Request = tuple[str, str, int]
#: three of the tenants send the same eight events, each as its own; the rest is as it comes
USUAL = [(key, key, number) for key in TENANTS[:3] for number in range(8)]
more = st.lists(st.tuples(st.sampled_from(TENANTS), st.sampled_from(CLAIMS), st.integers(0, 23)), max_size=60)
requests = more.flatmap(lambda drawn: st.permutations([*USUAL, *drawn]))


def sent_with(key: str, claim: str, number: int) -> dict[str, Any]:
    """Return an event whose texts carry the tenant of its key; its ids are those of every tenant's event of the number."""
    made = event(number, tenant=claim, visitor_id="v-1", conversation_id=f"c-{number // 4}")
    if number == 23:
        return made | {"payload": {}}  # is no event
    text = f"Which plans? qq{key.encode().hex()}qq"
    named: dict[str, Any] = made["payload"]
    named["turn_id"] = f"t-{number // 4}"
    if made["event_type"] == "model_call":
        named["model"] = text
    elif made["event_type"] == "turn":
        named |= {"message": text, "answer": text}
    else:
        off = f"Lanterns on a porch, pp{key.encode().hex()}pp."
        passage = {"kind": "document", "text": off, "title": off, "rank": 1, "score": 1.0}
        named |= {"message": text, "searched_query": text, "passages": [passage | {"passage_id": f"d-{number}"}]}
    return made


def marks(row: dict[str, Any]) -> set[str]:
    """Return the tenants that a row's texts and bytes were sent for."""
    return {bytes.fromhex(mark).decode() for mark in MARK.findall(repr(row))}


def collected(home: Path, sent: list[Request]) -> tuple[dict[str, Any], str]:
    """Send events, each with its key; return what each key was answered, and the metrics."""
    with SpoolWriter(home / "spool") as writer:
        keys = keyring(home)
        collector = Collector(
            append=Gathering(writer).append, keys=keys.items, now=lambda: NOW, environment="production"
        )
        with TestClient(make_app(collector)) as client:
            answers = {}
            for key in sorted({key for key, _, _ in sent}):
                token, _ = create_key(home, key, lambda: NOW)
                body = [sent_with(*each) for each in sent if each[0] == key]
                headers = {"Authorization": f"Bearer {token}"}
                answers[key] = client.post("/v1/events", json=body, headers=headers).json()
            return answers, client.get("/metrics").text


def run(home: Path, *command: str) -> str:
    """Run nightcheck in a home and return what it printed."""
    result = CliRunner().invoke(app, list(command), env={"NIGHTCHECK_HOME": str(home), "NIGHTCHECK_JUDGE": "lexical"})
    assert result.exit_code == 0, (command, result.output, result.exception)
    return result.stdout


def rows_of_tables(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of every table that names a tenant."""
    tables = connection.execute(
        "select schema_name || '.' || table_name from duckdb_columns() where column_name = 'tenant' and not internal"
    ).fetchall()
    for (table,) in tables:
        rows = connection.sql(f"from {table}")
        yield from ((table, dict(zip(rows.columns, row, strict=True))) for row in rows.fetchall())


def outputs(home: Path, tenants: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every row that names a tenant: of the warehouse, of what is published, of what commands print."""
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        yield from rows_of_tables(connection)
    with duckdb.connect(str(home / "published" / "nightcheck.duckdb"), read_only=True) as published:
        yield from ((f"published {table}", row) for table, row in rows_of_tables(published))
    for file in sorted((home / "published").glob("*.parquet")):
        yield from ((file.name, row) for row in pl.read_parquet(file).to_dicts())
    for place, mart in enumerate(MARTS):
        tenant = sorted(tenants)[place % len(tenants)]
        for line in run(home, "show", mart, "--tenant", tenant, "--json").splitlines():
            row = json.loads(line)
            assert row["tenant"] == tenant
            yield f"show {mart}", row


@settings(max_examples=2, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(requests)
def test_no_row_is_in_the_wrong_place(sent: list[Request]) -> None:
    """What a row says was sent with the key of its tenant, wherever it comes out, and nobody's event hides another's."""
    own = [(key, number) for key, claim, number in sent if normalise(claim) == key and number != 23]
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)

        answers, metrics = collected(home, sent)
        run(home, "ingest", "spool", "--until-end")
        run(home, "night", "--day", "2026-11-29")
        found = list(outputs(home, {key for key, number in own if event(number)["event_type"] == "turn"}))

    assert {key: answer["stored"] for key, answer in answers.items() if answer["stored"]} == Counter(k for k, _ in own)
    for key, answer in answers.items():
        fits = [normalise(claim) == key and number != 23 for sender, claim, number in sent if sender == key]
        assert [verdict["status"] == "stored" for verdict in answer["verdicts"]] == fits
        assert MARK.search(json.dumps(answer)) is None
    counted: Counter[str] = Counter()
    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            if sample.name == "nightcheck_events_stored_total":
                counted[sample.labels["tenant"]] += int(sample.value)
            assert sample.labels.get("tenant", sent[0][0]) in {key for key, _, _ in sent}
    assert counted == Counter(key for key, _ in own)

    wrong = [(place, row) for place, row in found if marks(row) - {row["tenant"]}]
    assert wrong == []
    assert {row["tenant"] for _, row in found} <= {key for key, _ in own} | {"*"}
    stored = {(row["tenant"], str(row["event_id"])) for place, row in found if place == "ingest.events"}
    assert stored == {(key, event(number)["event_id"]) for key, number in own}
    marked = {place for place, row in found if marks(row)}
    assert {"ingest.events", "canonical.turns", "canonical.retrievals", "canonical.passages"} <= marked
    assert {"marts.worst_retrievals", "published marts.worst_retrievals", "worst_retrievals.parquet"} <= marked
