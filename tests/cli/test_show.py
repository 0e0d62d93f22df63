"""`nightcheck show`: where there is nothing to show, it says what there is."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.errors import UsageError
from tests.streaming.traffic import event

DAY = "2024-03-05"


@pytest.fixture(scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    records = [event(number, occurred_at=f"{DAY}T10:00:00Z", tenant="help.example.com") for number in range(4)]
    records.append(event(4, occurred_at=f"{DAY}T10:00:00Z", tenant="quiet.example.com"))  # a turn alone
    (folder / "events.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("NIGHTCHECK_HOME", str(folder / "home"))
        assert _run("ingest", str(folder / "events.jsonl")).exit_code == 0
        assert _run("night", "--day", DAY).exit_code == 0
    return folder / "home"


@pytest.fixture(autouse=True)
def _shown(_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIGHTCHECK_HOME", str(_home))


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_day_without_a_night_is_told_to_people_and_beside_json(form: tuple[str, ...]) -> None:
    """Standard output stays what programs read; standard error names the nearest night."""
    done = _run("show", "relevance_daily", "--day", "2024-03-09", *form)

    assert (done.exit_code, done.stdout) == (0, "")
    assert f"no rows. The nearest night is that of {DAY}" in done.stderr


@pytest.mark.parametrize("days", [(), ("--from", DAY, "--to", "2024-03-07")])
def test_a_tenant_that_has_no_night_is_a_slip(days: tuple[str, ...]) -> None:
    """As `trend` has it: exit code 2, the nearest and those there are."""
    done = _run("show", "gate_daily", "--tenant", "hlep.example.com", "--json", *days)

    assert isinstance(done.exception, UsageError)
    assert "Did you mean help.example.com?" in str(done.exception)


def test_a_tenant_of_whom_a_mart_has_nothing_is_no_slip() -> None:
    """Its night was run, and that is said."""
    assert _run("show", "gate_daily", "--tenant", "quiet.example.com", "--json").stdout

    empty = _run("show", "date_questions_daily", "--tenant", "quiet.example.com", "--json")

    assert (empty.exit_code, empty.stdout) == (0, "")
    assert empty.stderr == f"date_questions_daily, {DAY}: no rows. Its night was run, and it has none\n"
