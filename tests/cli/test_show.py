"""`nightcheck show`: where there is nothing to show, it says what there is."""

import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.cli.show import passage_lines, table
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


def test_a_passage_is_told_once_and_a_cut_is_seen() -> None:
    """The title stands before a text that does not begin with it, and what a grade rests on below."""
    passage = {"query_grade": 2, "need_grade": 0, "kind": "document", "evidence": None}
    twice = passage | {"title": "Lamp oil", "text": "Lamp oil.\nKeep it dry.", "evidence": "keep\nit dry"}
    long = passage | {"title": "Lamp oil", "text": "It burns. " * 20}

    assert [*passage_lines(twice)] == ["  2/0  document: Lamp oil. Keep it dry.", "       evidence: keep it dry"]
    (line,) = passage_lines(long)
    assert line.startswith("  2/0  document: Lamp oil. It burns.")
    assert line.endswith("…")
    assert "hidden" in "".join(passage_lines(passage | {"title": None, "text": None}))


def test_no_word_of_a_table_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no room for all columns, rows become lines."""
    columns = {f"sampled_{name}size": ["irrelevant_need"] for name in "abcdefghi"}
    narrow = pl.DataFrame({"day": [DAY], "tenant": ["help.example.com"], **dict([*columns.items()][:5])})
    wide = pl.DataFrame({"day": [DAY], "tenant": ["help.example.com"], **columns})

    table(narrow, "narrow")
    table(wide, "wide")

    in_columns, in_lines = capsys.readouterr().out.split("wide\n")
    for told, count in ((in_columns, 5), (in_lines, 9)):
        assert told.count("irrelevant_need") == count
        assert "isize" in in_lines
    assert "┃" in in_columns
    assert "┃" not in in_lines


def test_a_table_takes_no_more_room_than_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Long texts give way, also those without a place to break them, and nothing is left out at the side."""
    texts = {f"text_{name}": [f"{name}, some words of it"] for name in "abcdefg"}
    table(pl.DataFrame({"day": [DAY], "tenant": ["help.example.com"], **texts, "page": ["Q" * 60]}), "long")

    told = capsys.readouterr().out.splitlines()

    assert {len(line.rstrip()) for line in told[1:]} == {140}
    assert sum(line.count("Q") for line in told) == 60
