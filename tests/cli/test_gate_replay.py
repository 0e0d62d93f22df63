"""`nightcheck gate replay` over a small warehouse, and the night that replays by itself."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from tests.resolution.replay.build import TENANT, rows, stored, turn

RANGE = ("--from", "2026-11-28", "--to", "2026-11-30")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an installation with two tenants' turns; one combined, one skipped follow-up."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path))
    stored(
        tmp_path,
        turn("a", 0, "Which plans include SSO?", "Team.", language="en"),
        turn("a", 1, "And does it include audit logs?", language="en"),
        turn("a", 2, "Why?", language="en"),
        turn("b", 0, "Quels forfaits incluent le SSO ?", tenant="aide.example.com", language="fr"),
    )
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["gate", "replay", *arguments])


def test_people_read_shares_costs_and_examples(home: Path) -> None:
    """A line for each tenant and language, what the skip costs, and what would be searched."""
    result = _run(*RANGE)

    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("4 turns replayed")
    for words in (TENANT, "aide.example.com", "eligible", "33.3%", "What the ten-character skip costs"):
        assert words in result.stdout
    assert "Which plans include SSO? + And does it include audit logs?" in result.stdout


def test_programs_read_one_object(home: Path) -> None:
    """One tenant is shown; all are replayed and stored."""
    result = _run(*RANGE, "--tenant", TENANT, "--json")

    answer = json.loads(result.stdout)
    assert answer["turns"] == 4
    assert {row["tenant"] for row in answer["population"]} == {TENANT}
    assert {each["shows"] for each in answer["examples"]} == {"eligible", "skipped"}
    assert rows_of_replay(home) == 4


def rows_of_replay(home: Path) -> int:
    """Return how many decisions are stored."""
    from pipelines.io.warehouse import Warehouse

    ((count,),) = rows(Warehouse(home / "warehouse.duckdb"), "select count(*) from night.replayed_decisions")
    return int(count)


def test_a_range_without_turns_is_said(home: Path) -> None:
    """Nothing is replayed, and no table is drawn."""
    result = _run("--from", "2025-01-01", "--to", "2025-01-02")

    assert (result.exit_code, result.stdout) == (0, "0 turns replayed, 2025-01-01 to 2025-01-02\n")


def test_nothing_is_created_where_there_is_no_warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command says what to do first."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "empty"))

    result = _run(*RANGE)

    assert result.exit_code != 0
    assert not (tmp_path / "empty" / "warehouse.duckdb").exists()


def test_the_night_replays_by_itself(home: Path) -> None:
    """The published marts hold the replayed decisions without anybody asking for them."""
    result = CliRunner().invoke(app, ["night", "--day", "2026-11-29", "--json"])

    assert result.exit_code == 0, result.output
    night = json.loads(result.stdout)
    assert night["replayed"] == 4
    assert night["rows"]["gate_population"] > 0
    assert (home / "published" / "gate_population.parquet").exists()
