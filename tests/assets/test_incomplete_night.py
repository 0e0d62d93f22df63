"""A night in which one drawn retrieval gets no verdict, and the run after it, by both ways of running a night."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from click.testing import CliRunner

from assets.resources import Nightcheck
from pipelines.cli import app
from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import check, read
from tests.assets.conftest import FIRST
from tests.assets.runs import run_day
from tests.judging.scripted_endpoint import Call, Failed, Reply, scripted, well
from tests.judging.test_whole_night import DAY, TURNS, write_events

#: the endpoint asks to come back in an hour: nobody waits that long
BUSY = Failed(status=429, headers={"Retry-After": "3600"})
#: runs the night; returns whether it says itself that the night is complete
RunNight = Callable[[], bool]


def by_command_line() -> bool:
    """Run the night as a person does."""
    result = CliRunner().invoke(app, ["night", "--day", FIRST.isoformat()], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return f"INCOMPLETE {FIRST}: 1 drawn retrieval has no verdict yet (1 rate limited)" not in result.output


def by_dagster() -> bool:
    """Materialise the night, and look at what Dagster says of it."""
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_day(FIRST, Nightcheck(), instance)
    assert result.success, "a night that waits for a verdict is no reason to stop the others"
    (check,) = [each for each in result.get_asset_check_evaluations() if each.check_name == "complete"]
    return check.passed


def one_is_busy(call: Call) -> Reply:
    """Answer about all but one of the retrievals."""
    return BUSY if "plan 7?" in call.document["searched_query"] else well(call)


@pytest.mark.integration
@pytest.mark.parametrize("run_night", [by_command_line, by_dagster])
def test_a_night_without_one_verdict_has_bounds_and_asks_for_that_one_alone(
    run_night: RunNight, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No headline rate but its bounds, a check that fails; the second run pays for what is missing, and there is a rate."""
    events = tmp_path / "events.jsonl"
    write_events(events)
    events.write_text(events.read_text().replace(DAY, FIRST.isoformat()))
    warehouse = Warehouse(tmp_path / "warehouse.duckdb")
    for name, value in {"HOME": str(tmp_path), "JUDGE": "openai", "JUDGE_MODEL": "judge-2026-01-01"}.items():
        monkeypatch.setenv(f"NIGHTCHECK_{name}", value)
    ingested = CliRunner().invoke(app, ["ingest", str(events)])
    assert ingested.exit_code == 0, ingested.output

    with scripted(one_is_busy) as endpoint:
        monkeypatch.setenv("NIGHTCHECK_JUDGE_BASE_URL", endpoint.base_url)
        was_complete = run_night()
    before, failed = _headline(warehouse), _failed_checks(warehouse)
    with scripted(well) as endpoint:
        monkeypatch.setenv("NIGHTCHECK_JUDGE_BASE_URL", endpoint.base_url)
        is_complete = run_night()
        asked = [call.document["searched_query"] for call in endpoint.calls]
    after = _headline(warehouse)

    assert (was_complete, is_complete) == (False, True)
    assert [before[name] for name in ("rate", "low", "high", "pending")] == [None, None, None, 2]
    assert 0 < before["best"] < before["worst"] < 1
    assert before["coverage"] == pytest.approx(1 - 1 / TURNS)
    assert failed == ["complete"]
    assert asked == ["What is plan 7?"]
    assert before["best"] <= after["rate"] <= before["worst"]
    assert (after["pending"], after["coverage"], _failed_checks(warehouse)) == (0, 1.0, [])


def _headline(warehouse: Warehouse, day: date = FIRST) -> dict[str, Any]:
    rows = read(warehouse, "relevance_daily", day, day, "*").filter(slice="all", measure="irrelevant_need")
    (row,) = rows.to_dicts()
    return dict(row)


def _failed_checks(warehouse: Warehouse) -> list[str]:
    return [each.check.name for each in check(warehouse, FIRST, "relevance_daily") if not each.passed]
