"""A judge that moves in the middle of a series of nights, from events to alarms: it is not taken for the retrievals."""

import json
import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from pipelines.alerts.run import find
from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.line import read_anchors
from pipelines.judging.anchors.run import import_anchors
from pipelines.marts.reading.run import instrument_of, report, trend
from pipelines.night.run import Night, Plan, run_night
from tests.judging.build import a_judge
from tests.judging.nights import DAYS, FIRST, RETRIEVALS, TENANT, ingest
from tests.judging.scripted_endpoint import Call, Failed, Reply, Said, Script, scripted, verdict, well

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NIGHTS = len(DAYS)
#: the night that differs
LAST = DAYS[-1]


def anchors() -> list[bytes]:
    """Return the lines of a file of frozen passages, one useful in each retrieval."""
    return [
        json.dumps(
            {
                "tenant": "anchors.example",
                "retrieval_id": f"a-{number}",
                "searched_query": "Which plan?",
                "message": f"Which plan is number {number}?",
                "passages": [{"passage_id": f"p-{n}", "text": f"The plan {number}, part {n}."} for n in range(4)],
            }
        ).encode()
        for number in range(5)
    ]


def run(warehouse: Warehouse, base_url: str, *days: date) -> list[Night]:
    """Run the nights."""
    judge = a_judge(base_url)
    plan = Plan(environments=("production",), seed="s", cap=None)
    return [run_night(warehouse, day, judge, plan, now=lambda: NOW) for day in days]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all nights but the last, run by a steady judge; to be copied, not written to."""
    folder = tmp_path_factory.mktemp("usual")
    warehouse = ingest(folder, *range(NIGHTS - 1))
    import_anchors(warehouse, read_anchors(anchors(), "anchors"), NOW)
    with scripted(well) as endpoint:
        nights = run(warehouse, endpoint.base_url, *DAYS[:-1])

        assert len(endpoint.calls) == (NIGHTS - 1) * (RETRIEVALS + 5)
    assert {night.anchors.asked for night in nights} == {20}
    return folder


def to_the_last_night(usual: Path, folder: Path, script: Script, *, useful: int = 2) -> Warehouse:
    """Return a warehouse of the test's own in which the last night was run, twice; the second time costs no call."""
    shutil.copy(usual / "warehouse.duckdb", folder)
    warehouse = ingest(folder, NIGHTS - 1, useful=useful)
    with scripted(script) as endpoint:
        run(warehouse, endpoint.base_url, LAST)
        (again,) = run(warehouse, endpoint.base_url, LAST)

        assert len(endpoint.calls) == RETRIEVALS + 5
    assert again.anchors.asked == 0
    return warehouse


def strict(call: Call) -> Reply:
    """Find nothing relevant any more."""
    return Said(text=json.dumps(verdict(call.passages, grades={each["id"]: 0 for each in call.passages})))


def stored(warehouse: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return what a query says."""
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()


def test_a_judge_that_moves_while_the_traffic_does_not(usual: Path, tmp_path: Path) -> None:
    """On the last night it grades more strictly: the alert says so, does not stand, and no trend shows a rise."""
    warehouse = to_the_last_night(usual, tmp_path, strict)

    standing = find(warehouse)

    assert standing == []
    assert stored(warehouse, "select distinct instrument_moved from alerts.alerts") == [(True,)]
    instrument = instrument_of(warehouse, LAST)
    assert instrument is not None
    assert (instrument.state, instrument.moved, instrument.passages) == ("moved", 20, 20)
    shown = trend(warehouse, "*", FIRST, LAST, environment="production")
    assert shown.rises == ()
    assert shown.difference == pytest.approx(2 / 3)
    assert any("THE JUDGE HAS MOVED" in note for note in report(warehouse, LAST, "production").notes)


def test_traffic_that_moves_while_the_judge_does_not(usual: Path, tmp_path: Path) -> None:
    """The same rise made by the retrievals is an alert like any other."""
    warehouse = to_the_last_night(usual, tmp_path, well, useful=0)

    standing = find(warehouse)

    assert {(alert["tenant"], alert["instrument_moved"]) for alert in standing} == {(TENANT, False)}
    instrument = instrument_of(warehouse, LAST)
    assert instrument is not None
    assert (instrument.state, instrument.moved) == ("ok", 0)


def test_without_frozen_passages_nothing_changes(tmp_path: Path) -> None:
    """No call, no row, no line."""
    warehouse = ingest(tmp_path, 0)
    with scripted(well) as endpoint:
        (night,) = run(warehouse, endpoint.base_url, FIRST)

        assert len(endpoint.calls) == RETRIEVALS
    find(warehouse)

    assert (night.anchors.asked, night.anchors.drift) == (0, None)
    assert stored(warehouse, "from alerts.instruments") == []
    assert instrument_of(warehouse, FIRST) is None


def test_trouble_with_frozen_passages_does_not_fail_the_night(tmp_path: Path) -> None:
    """The endpoint refuses every call about them: statuses are stored and counted, and asked for again next time."""
    warehouse = ingest(tmp_path, 0)
    import_anchors(warehouse, read_anchors(anchors(), "anchors"), NOW)

    def refusing(call: Call) -> Reply:
        return Failed(status=401) if "Which plan?" in call.document["searched_query"] else well(call)

    with scripted(refusing) as endpoint:
        (night,) = run(warehouse, endpoint.base_url, FIRST)
        endpoint.script = well
        (again,) = run(warehouse, endpoint.base_url, FIRST)

    assert night.judged.statuses == {"judged": RETRIEVALS}
    assert night.anchors.statuses == {"unavailable": 20}
    assert again.anchors.statuses == {"judged": 20}
    assert again.judged.asked == 0
