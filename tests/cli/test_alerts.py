"""`nightcheck alerts`, on a warehouse with an alarm."""

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from pipelines.alerts.run import find
from pipelines.cli import app, main
from pipelines.io.warehouse import Warehouse
from tests.alerts.build import COMBINED, DOCUMENTS, nights
from tests.alerts.stored import insert, publish_rates, store

USUAL = {DOCUMENTS: 0.3, COMBINED: 0.35}
WORSE = {DOCUMENTS: 0.6, COMBINED: 0.6}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an installation in which irrelevance has risen."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path))
    monkeypatch.delenv("NIGHTCHECK_WEBHOOK_URL", raising=False)
    rng = np.random.default_rng(1)
    warehouse = Warehouse(tmp_path / "warehouse.duckdb")
    store(warehouse, [*nights(range(35), USUAL, rng, retrievals=10), *nights(range(36, 40), WORSE, rng, retrievals=10)])
    find(warehouse)
    return tmp_path


def run(*arguments: str) -> str:
    """Run a command; return what it prints."""
    result = CliRunner().invoke(app, ["alerts", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_an_alarm_is_listed_shown_and_acknowledged(home: Path) -> None:
    """The way of a person through it."""
    listed = run("list")
    alert_id = listed.split()[0]
    shown = run("show", alert_id)
    charts = run("show", "--tenant", "acme.example")
    done = run("ack", "--note", "known")
    after = run("list", "--json")

    assert "stands  " in listed
    assert "acme.example" in listed
    assert "there was no night" in listed
    assert shown.startswith("Irrelevance has risen.")
    assert "nightcheck show worst_retrievals" in shown
    assert charts.splitlines()[1].startswith("alarming")
    assert charts.splitlines()[-1].startswith("alerts that stand until they are acknowledged or recover: ")
    assert done == "production: acknowledged after the night of 2026-09-11\n"
    assert {json.loads(line)["ended"] for line in after.splitlines()} == {"acknowledged"}


def test_the_retrievals_to_read_first_are_shown_with_what_was_searched(home: Path) -> None:
    """An id says nothing to a person: beside it stand the query and how much of what came back was irrelevant."""
    warehouse = Warehouse(home / "warehouse.duckdb")
    passage = {"passage_id": "d", "kind": "document", "title": "t", "text": "x", "query_grade": 0, "need_grade": 0}
    worst = {"environment": "production", "tenant": "acme.example", "place": 1, "retrieval_id": "r-1"}
    worst |= {"day": date(2026, 9, 11), "conversation_id": "c", "searched_query": "Which plan?\x1b[2J", "irrelevant": 3}
    worst |= {"resolution": "as_typed", "fault": "retriever", "judged": 4, "passages": [passage | {"evidence": ""}]}
    with warehouse.write() as connection:
        insert(connection, "marts.worst_retrievals", [worst])
    find(warehouse)
    whole = next(alert for alert in map(json.loads, run("list", "--json").splitlines()) if alert["cell"] == "*")

    shown = run("show", whole["alert_id"])

    line = "  3 of 4 irrelevant, the retriever broke: Which plan?\ufffd[2J (2026-09-11, acme.example/r-1)"
    assert shown.splitlines()[-1] == line


def test_a_new_baseline_is_accepted(home: Path) -> None:
    """The charts learn again from the night that is named, and it is said how far they are."""
    done = run("baseline", "--since", "2026-09-08").splitlines()
    again = run("baseline", "--judge").splitlines()

    assert done[0] == "production: a new baseline was asked for after the night of 2026-09-11"
    assert done[1] == "the charts learn anew from the next night on: of the 28 nights that they need there are 4"
    assert again[1] == "the judge is accepted as it now is, for all environments"


def test_what_no_acknowledgement_ends_is_not_said_to_be_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While charts are learning a cruder rule calls; its alerts stand as long as it sees them."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path))
    warehouse = Warehouse(tmp_path / "warehouse.duckdb")
    store(warehouse, nights(range(10), USUAL, np.random.default_rng(1), retrievals=10))
    publish_rates(warehouse, 10)
    find(warehouse)

    done = run("ack").splitlines()
    shown = run("show").splitlines()

    assert "stands" in run("list")
    assert done[-2].endswith("charts are learning: each needs 28 complete nights of its tenant; there are 10 so far")
    assert done[-1].startswith("alerts of the rule for charts that are learning: 1, until ")
    assert shown == done[1:]


def test_what_is_due_is_told_once(home: Path) -> None:
    """In the log, where no webhook is configured."""
    first, second = run("deliver"), run("deliver")

    assert first.startswith("Irrelevance has risen.")
    assert "risen" not in second


@pytest.mark.parametrize(
    "arguments",
    [("show", "nonesuch"), ("ack", "--environment", "staging"), ("baseline", "--since", "2026-09-12"), ("test",)],
)
def test_a_command_that_cannot_be_meant_says_why(
    home: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, exit code 2."""
    with pytest.raises(SystemExit) as stopped:
        main(["alerts", *arguments])

    assert stopped.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
