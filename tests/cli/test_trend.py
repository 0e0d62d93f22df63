"""`nightcheck trend` and `nightcheck report`, on a night that was run."""

import json
import re
import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.demo.generator import generate
from pipelines.demo.tenants import TENANTS

DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with two nights of one tenant."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "traffic.jsonl").write_bytes(b"".join(generate(3, DAY, 2, TENANTS[:1], (10, 12))))
    last = (DAY + timedelta(days=1)).isoformat()
    for command in (["ingest", str(folder / "traffic.jsonl")], ["night", "--from", DAY.isoformat(), "--to", last]):
        result = run(folder, *command)
        assert result.exit_code == 0, result.output
    return folder


def run(home: Path, *command: str) -> Result:
    """Run a command in this home."""
    return CliRunner().invoke(app, list(command), env={"NIGHTCHECK_HOME": str(home)}, catch_exceptions=False)


def test_the_plot_stands_between_its_title_and_its_figures(home: Path) -> None:
    """Plain text, because nobody looks."""
    result = run(home, "trend")

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Irrelevant passages (nothing to do with the need), all tenants, per night"
    assert lines[1] == "2 of 28 nights, by the lexical judge (shared words, not relevance)"
    assert lines[2].strip().startswith("┌")
    assert "2026-03-03" in lines[-2]
    assert "judged passages, coverage" in lines[-2]
    assert "points to the night before; how much of that is the judge's noise is not known" in lines[-1]
    assert "\x1b" not in result.stdout


def test_json_has_every_night(home: Path) -> None:
    """For programs."""
    found = json.loads(run(home, "trend", "--tenant", TENANTS[0].host, "--json").stdout)

    assert [night["day"] for night in found["nights"]] == ["2026-03-02", "2026-03-03"]
    assert all(0 <= night["low"] <= night["rate"] <= night["high"] <= 1 for night in found["nights"])


def test_the_noise_floor_stands_beside_the_difference(home: Path, tmp_path: Path) -> None:
    """Once it was measured: in the trend, in the mart's table, in the report."""
    own = tmp_path / "home"
    shutil.copytree(home, own)
    measured = run(own, "judge", "noise", "--day", "2026-03-03")

    assert "production, irrelevant_need" in measured.stdout
    assert "judging the same passages again moves it by up to 0.0" in run(own, "trend").stdout
    table = " ".join(run(own, "show", "relevance_daily").stdout.split())
    assert "(0.0)" in table
    assert "change: points to the night before" in table
    page = tmp_path / "report.html"
    run(own, "report", "--out", str(page))
    assert "points to the night before; judging the same passages again" in page.read_text()


def test_frozen_passages_are_judged_every_night_and_said(home: Path, tmp_path: Path) -> None:
    """Once they are imported: by the night itself, the trend, the status and the report."""
    own = tmp_path / "home"
    shutil.copytree(home, own)
    anchor = {
        "tenant": "a.example", "retrieval_id": "a-1", "searched_query": "Which plans?", "message": "Which plans?",
        "passages": [{"passage_id": "p-1", "text": "The Team plan."}],
    }  # fmt: skip
    (own / "anchors.jsonl").write_text(json.dumps(anchor) + "\n")
    before = run(own, "night", "--day", "2026-03-03").stdout
    run(own, "judge", "anchors", "import", str(own / "anchors.jsonl"))

    run(own, "night", "--day", "2026-03-02")
    second = run(own, "night", "--day", "2026-03-03").stdout

    line = "still learning what is usual: 0 of 1 frozen passages judged otherwise than first, 2026-03-03"
    assert "frozen passages" not in before
    assert f"frozen passages: {line}" in second
    assert run(own, "trend").stdout.splitlines()[-1] == f"frozen passages: {line}"
    assert line in run(own, "status").stdout
    assert json.loads(run(own, "trend", "--json").stdout)["instrument"]["state"] == "learning"
    run(own, "report", "--out", str(tmp_path / "report.html"))
    assert f"The frozen passages: {line}." in (tmp_path / "report.html").read_text()


def test_a_picture_is_written(home: Path, tmp_path: Path) -> None:
    """A PNG file, and nothing on standard output."""
    result = run(home, "trend", "--png", str(tmp_path / "trend.png"))

    assert result.stdout == ""
    assert (tmp_path / "trend.png").read_bytes().startswith(b"\x89PNG")


def test_a_report_is_one_file(home: Path, tmp_path: Path) -> None:
    """With the newest night where none is named, and the worst retrievals of it."""
    result = run(home, "report", "--out", str(tmp_path / "report.html"))

    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert result.exit_code == 0
    assert "the night of 2026-03-03" in html
    assert "Read these first" in html
    assert html.count("<svg") == 2


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "mart", ["relevance_daily", "fault_daily", "answer_outcomes_daily", "gate_daily", "disclaim_daily"]
)
def test_a_mart_fits_a_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, mart: str, width: int, *, terminal: bool
) -> None:
    """No line is longer than the terminal, or than a program that captures it says, and nothing is cut off with dots."""
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, as far as rich can see
    monkeypatch.setenv("COLUMNS", str(width))

    result = run(home, "show", mart)

    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert max(map(len, lines)) <= width
    assert "…" not in result.stdout
    assert any(TENANTS[0].host in line for line in lines)


def test_nights_taken_together_are_counted_and_their_judge_is_named(home: Path) -> None:
    """Of a range of days of which few were run, how many; of a range of which all were, that number."""
    few = run(home, "show", "relevance_daily", "--from", "2026-02-01", "--to", "2026-03-31").stdout
    both = run(home, "show", "fault_daily", "--from", "2026-03-02", "--to", "2026-03-03").stdout

    by = "by the lexical judge (shared words, not relevance)"
    assert few.splitlines()[0] == f"relevance_daily, 2026-02-01 to 2026-03-31, 2 of 59 nights together, {by}"
    assert both.splitlines()[0] == f"fault_daily, 2026-03-02 to 2026-03-03, 2 nights together, {by}"


def test_the_worst_are_read_in_one_order_everywhere(home: Path, tmp_path: Path) -> None:
    """What the terminal shows first the report shows first."""
    shown = re.findall(r"^(\S+ #\d): ", run(home, "show", "worst_retrievals").stdout, re.MULTILINE)
    run(home, "report", "--out", str(tmp_path / "report.html"))
    reported = re.findall(r"<h3>(\S+ #\d): ", (tmp_path / "report.html").read_text(encoding="utf-8"))

    assert shown
    assert shown[: len(reported)] == reported[: len(shown)]


def test_each_fault_and_each_outcome_has_its_column(home: Path) -> None:
    """What is published is what is shown."""
    faults, outcomes = run(home, "show", "fault_daily").stdout, run(home, "show", "answer_outcomes_daily").stdout

    assert all(
        word in faults for word in ("ok", "query broke", "retriever broke", "lucky", "all tenants", "· document")
    )
    assert all(
        word in outcomes for word in ("disclaimed rightly", "disclaimed though useful", "answered, nothing useful")
    )
