"""Keys and bodies of many tenants, from the collector to every output: no row in the wrong place."""

import asyncio
import json
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pipelines.collect.run import Gathering
from pipelines.collect.verdict import Accepted, judge
from pipelines.ingest.run import PROJECTIONS, ingest
from pipelines.io.clock import now
from pipelines.io.spool import SpoolSource, SpoolWriter
from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import make, read
from tests.streaming.traffic import event

pytestmark = [pytest.mark.integration, pytest.mark.property]
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
TENANTS = ("a.example.com", "b.example.com", "a.b.example.com", "example.com", "xn--bcher-kva.example")
claims = st.sampled_from([*TENANTS, "A.Example.com", "bücher.example", "a.example.com.", "a.example.com/b", ""])
#: the key's tenant, the tenant that the event claims, the number that makes its id (equal numbers: equal ids)
requests = st.lists(st.tuples(st.sampled_from(TENANTS), claims, st.integers(0, 11)), min_size=1, max_size=40)


def sent_with(key: str, claim: str, number: int) -> bytes:
    """Return an event that carries the tenant of its key in the visitor's id, whatever it claims."""
    made = event(number, tenant=claim, visitor_id=f"of {key}")
    if number == 11:
        made["payload"] = {}  # is no event: ends in quarantine or is rejected
    return json.dumps(made).encode()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(requests)
def test_no_row_is_in_the_wrong_place(sent: list[tuple[str, str, int]]) -> None:
    """Every stored row was sent with the key of its tenant, and nobody's event hides another tenant's."""
    accepted = [
        (key, verdict)
        for key, claim, number in sent
        if isinstance(verdict := judge(sent_with(key, claim, number), key, NOW), Accepted)
    ]
    assume(accepted)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with SpoolWriter(folder / "spool") as writer:
            asyncio.run(Gathering(writer).append([verdict.record for _, verdict in accepted]))
        warehouse = Warehouse(folder / "warehouse.duckdb", memory_limit="512MB", threads=1)
        ingest(SpoolSource(folder / "spool"), warehouse, now=now)
        rows = stored(warehouse)

        assert [row for row in rows if row["visitor_id"] != f"of {row['tenant']}"] == []
        expected = {(key, verdict.event.event_id) for key, verdict in accepted}
        assert {(row["tenant"], str(row["event_id"])) for row in rows if row["table"] == "events"} == expected
        make(warehouse, date(2026, 11, 29), ["loss_daily"])
        losses = read(warehouse, "loss_daily", date(2026, 11, 29), date(2026, 11, 29))
        assert set(losses["tenant"]) - {"*"} == {key for key, _ in expected}


def stored(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Return tenant, visitor and id of every row of the raw log, the conflicts and the projections."""
    tables = {"events": "ingest.events", "conflicts": "ingest.conflicts"}
    tables |= {name: f"canonical.{name}" for name in PROJECTIONS}
    found = []
    with warehouse.read() as connection:
        for name, table in tables.items():
            rows = connection.table(table).project("tenant, visitor_id, event_id").fetchall()
            found += [
                {"table": name, "tenant": tenant, "visitor_id": visitor, "event_id": event_id}
                for tenant, visitor, event_id in rows
            ]
    return found
