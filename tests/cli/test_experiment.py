"""`nightcheck experiment` from the command line, on a small set of its own."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.errors import UsageError
from tests.experiments.plants import write_source


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an imported set, in an installation of its own."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    call("dataset", "import-retrieval", str(write_source(tmp_path / "source")), str(tmp_path / "plants"))
    return tmp_path / "plants"


def call(*arguments: str) -> Result:
    """Run a command that must succeed."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_one_command_compares_all_that_costs_nothing(dataset: Path, tmp_path: Path) -> None:
    """Every strategy without a model, the gate fused, and the recorded rewrite; a report in two forms."""
    shown = call("experiment", "run", str(dataset), "--resamples", "1000", "--out", str(tmp_path / "report")).output

    for name in ("gated_combine", "always_combine", "whole_history", "raw+gated_combine", "rewrite@official_rewrite"):
        assert name in shown
    assert "16 items, k = 10" in shown
    assert (tmp_path / "report" / "report.md").read_text().startswith("# Experiment on plants")
    assert "<svg" in (tmp_path / "report" / "report.html").read_text()


def test_runs_are_listed_reported_and_compared(dataset: Path) -> None:
    """What one command stored the others read; a program gets JSON lines."""
    choice = ("--strategy", "always_combine", "--strategy", "rewrite@official_rewrite", "--resamples", "1000")
    ran = [json.loads(line) for line in call("experiment", "run", str(dataset), *choice, "--json").output.splitlines()]
    run_id = ran[0]["run"]

    listed = json.loads(call("experiment", "list", "--json").output)
    reported = call("experiment", "report", run_id[:5], "--resamples", "1000", "--json").output
    compared = call(
        "experiment", "compare", f"{run_id}:raw", f"{run_id}:rewrite@official_rewrite", "--resamples", "1000", "--json"
    )

    assert (listed["run"], listed["status"], listed["completed"]) == (run_id, "complete", 64)
    assert [json.loads(line) for line in reported.splitlines()] == ran
    same = next(each for each in ran if (each["strategy"], each["measure"]) == ("rewrite@official_rewrite", "nDCG@5"))
    assert json.loads(compared.output)["difference"] == same["difference"]
    assert same["outcome"] == "better"
    assert run_id in call("experiment", "list").output
    assert listed["measure"] == "nDCG@5"
    on_it = {each["strategy"] for each in ran if (each["measure"], each["outcome"]) == ("nDCG@5", "better")}
    assert listed["better"] == dict.fromkeys(on_it, "unconfirmed")  # as the report of a single run says


def test_a_threshold_is_written_by_command(dataset: Path) -> None:
    """It says which run's control it came from, and the set stays usable."""
    line = call("experiment", "run", str(dataset), "--strategy", "always_combine", "--json").output.splitlines()[0]
    run_id = json.loads(line)["run"]

    shown = call("experiment", "threshold", str(dataset), run_id).output

    manifest = json.loads((dataset / "manifest.json").read_text())
    assert f"from raw in run {run_id}" in shown
    assert manifest["threshold"]["run_id"] == run_id
    call("dataset", "check", str(dataset))
    again = call("experiment", "run", str(dataset), "--strategy", "always_combine", "--resamples", "1000").output
    assert f"(run {run_id}). Below it, so worse than doing nothing: none" in again


def test_the_two_channel_retriever_shows_what_keywords_push_out(dataset: Path, tmp_path: Path) -> None:
    """Keywords reach their own channel; the table of displacement is in the report."""
    call(
        "experiment", "run", str(dataset), "--retriever", "two-channels", "--k", "2", "--resamples", "1000",
        "--strategy", "keywords@official_rewrite", "--out", str(tmp_path / "report"),
    )  # fmt: skip

    assert "## Displacement among 2 passages" in (tmp_path / "report" / "report.md").read_text()


def test_the_offline_judge_scores_without_labels(dataset: Path) -> None:
    """Any judge of the night can score an experiment."""
    shown = call(
        "experiment", "run", str(dataset), "--judge", "lexical", "--strategy", "always_combine", "--json"
    ).output

    assert {json.loads(line)["measure"] for line in shown.splitlines()} >= {"useful", "useful_rr", "grade"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--strategy", "clairvoyance"), "There are: raw"),
        (("--retriever", "oracle"), "There are: bm25"),
        (("--measure", "luck"), "has none"),
        (("--strategy", "rewrite"), "it asks a model and none is named"),
    ],
)
def test_what_cannot_be_meant_is_refused(dataset: Path, options: tuple[str, ...], message: str) -> None:
    """With what there is instead."""
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(app, ["experiment", "run", str(dataset), *options], catch_exceptions=False)
