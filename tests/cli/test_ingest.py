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
