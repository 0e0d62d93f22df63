"""Days that are a slip of the finger are refused before anything is stored."""

from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import app
from pipelines.io.clock import now
from pipelines.io.warehouse import Warehouse


@pytest.mark.parametrize("day", ["0001-01-01", "0206-11-29", "2200-01-01", "9999-12-31"])
def test_a_year_without_events_is_a_slip(day: str) -> None:
    """The charts walk from the first night to the newest: a night of another age would hold them for ever."""
    result = CliRunner().invoke(app, ["night", "--day", day])

    assert result.exit_code == 2
    assert "is a slip" in result.stderr


def test_a_day_to_come_has_no_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be the newest night until then, and what stands on others would look like the past."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path))
    to_come = now().date() + timedelta(days=400)

    result = CliRunner().invoke(app, ["night", "--day", to_come.isoformat()])

    assert "is still to come" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_night_that_found_nothing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in the date, or in the name of an environment, must not look like a good night."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path))
    with Warehouse(tmp_path / "warehouse.duckdb").write():
        pass

    result = CliRunner().invoke(app, ["night", "--day", "2026-03-02"])

    assert result.exit_code == 0, result.output
    assert "EMPTY 2026-03-02: no search with results; there are no events yet" in result.output
