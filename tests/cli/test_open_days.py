"""Days whose night is due are named, with the commands that run them."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.cli.open_days import commands, named
from tests.streaming.traffic import event

DAY = date(2024, 3, 5)


def _run(*arguments: str) -> Result:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done


def _record(number: int, day: date) -> bytes:
    return json.dumps(event(number, occurred_at=f"{day}T10:00:00Z", visitor_id="v-1")).encode() + b"\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder whose warehouse has one event of one day."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    (tmp_path / "first.jsonl").write_bytes(_record(1, DAY))
    (tmp_path / "late.jsonl").write_bytes(_record(2, DAY) + _record(3, DAY + timedelta(days=100)))
    assert f"nightcheck night --day {DAY}" in _run("ingest", str(tmp_path / "first.jsonl")).stderr
    return tmp_path


def test_a_late_event_opens_its_day_for_everyone_to_see(folder: Path) -> None:
    """After a night nothing is open; a late event opens its day, and the command that is named runs it."""
    _run("night", "--day", str(DAY))
    assert "open," not in _run("status").stdout
    told = _run("ingest", str(folder / "late.jsonl")).stderr
    due = [f"nightcheck night --day {DAY}", f"nightcheck night --day {DAY + timedelta(days=100)}"]

    status = _run("status").stdout
    read = json.loads(_run("status", "--json").stdout)

    for said in (told, status):
        assert f"2 days ({DAY}, {DAY + timedelta(days=100)})" in said
        assert [line.strip() for line in said.splitlines() if "nightcheck night" in line] == due
    assert (read["open_days"], read["commands_for_open_days"]) == ([str(DAY), str(DAY + timedelta(days=100))], due)
    for command in due:
        _run(*command.split()[1:])
    assert json.loads(_run("status", "--json").stdout)["open_days"] == []


def test_an_erasure_names_the_days_that_it_opens(folder: Path) -> None:
    """Each of them, and a command that exists."""
    tenant = json.loads((folder / "first.jsonl").read_bytes())["tenant"]
    _run("night", "--day", str(DAY))

    erased = _run("erase", "--tenant", tenant, "--visitor", "v-1").stdout

    assert f"1 day ({DAY})\n  nightcheck night --day {DAY}\n" in erased
    assert json.loads(_run("status", "--json").stdout)["open_days"] == [str(DAY)]


def test_of_many_days_the_first_the_last_and_the_number_are_told() -> None:
    """Neighbours are run by one command, with what lies between; what is far away by another."""
    days = [DAY + timedelta(days=each) for each in (0, 1, 2, 5, 6, 7, 40)]

    assert named(days) == "7 days (2024-03-05 to 2024-04-14)"
    assert commands(days) == [
        "nightcheck night --from 2024-03-05 --to 2024-03-12",
        "nightcheck night --day 2024-04-14",
    ]
