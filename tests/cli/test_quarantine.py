"""`nightcheck quarantine`: nothing that waits is hidden by a slip or by a limit."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.errors import UsageError


@pytest.fixture(autouse=True)
def _three_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    (tmp_path / "records.jsonl").write_text("no event\nneither\n{}\n")
    _run("ingest", str(tmp_path / "records.jsonl"))


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("command", ["list", "replay"])
def test_an_unknown_reason_is_refused_with_the_nearest(command: str) -> None:
    """It must not look as if nothing waits."""
    done = _run("quarantine", command, "--reason", "sintax")

    assert isinstance(done.exception, UsageError)
    assert "Did you mean syntax?" in str(done.exception)
    assert "missing_field" in str(done.exception)


def test_a_list_that_is_cut_says_so_and_what_comes_next() -> None:
    """How many of how many, what shows all, and the command after a fix; where all are shown, that alone."""
    cut, whole = _run("quarantine", "list", "--limit", "2"), _run("quarantine", "list")

    assert "2 of 3; --limit 3 shows all" in cut.stderr
    assert "shows all" not in whole.stderr
    assert "nightcheck quarantine replay" in whole.stderr
    assert "1 of 2; --limit 2 shows all" in _run("quarantine", "list", "--limit", "1", "--reason", "syntax").stderr
    assert _run("quarantine", "list", "--reason", "not_utf8").stdout == "nothing waits for not_utf8\n"
