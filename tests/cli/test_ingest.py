"""`nightcheck ingest` over files: what it tells people and programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import app
from tests.streaming.traffic import records


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_last_line_that_is_not_finished_is_told_and_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes
) -> None:
    """People read on standard error that bytes wait; what programs read stays JSON, and the exit code 0."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    first, second = records(2)
    file = tmp_path / "events[1].jsonl"
    file.write_bytes(first + b"\n" + second[: 1234 if end else 30] + end)

    done = CliRunner().invoke(app, ["ingest", "--json", str(file)])

    assert done.exit_code == 0
    assert json.loads(done.stdout)["stored"] == (2 if end else 1)
    told = f"{file}: the last line is not finished yet: 30 bytes wait until there is more\n"
    assert done.stderr == ("" if end else told)


def test_a_source_without_any_event_is_doubted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, among others that hold some; its records are kept, so that it is no failure."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    page, events = tmp_path / "report.html", tmp_path / "events.jsonl"
    page.write_text("<html>\n<p>1</p>\n")
    events.write_bytes(b"no event\n" + b"\n".join(records(2)) + b"\n")

    done = CliRunner().invoke(app, ["ingest", "--json", str(page), str(events)])

    assert (done.exit_code, json.loads(done.stdout)["quarantined"]) == (0, 3)
    assert done.stderr == f"{page}: not one of 2 records is an event; is it the right source?\n"
