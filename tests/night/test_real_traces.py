"""The main job on real conversations with people's votes, through the command line."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines.io.warehouse import Warehouse

DOCS = Path(__file__).parents[2] / "docs"
RANGE = ("--from", "2024-07-26", "--to", "2024-09-05")

Run = Callable[..., str]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for one installation."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def nightcheck(home: Path) -> Run:
    """Return a function that runs the command line in a process of its own and returns what it prints."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pipelines.cli", *arguments],
            capture_output=True,
            text=True,
            env=os.environ | {"NIGHTCHECK_HOME": str(home)},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def census(nightcheck: Run, shared_data: Path) -> str:
    """Ingest the traces and judge every retrieval by people's votes; return what the nights say."""
    counts = json.loads(nightcheck("ingest", "--json", str(shared_data / "mtrag" / "events.jsonl.gz")))
    assert counts["stored"] == 1_743
    return nightcheck("night", *RANGE, "--judge", labels(shared_data), "--sample", "all", "--json")


def labels(shared_data: Path) -> str:
    """Return the judge that knows people's votes."""
    return f"labels:{shared_data / 'mtrag' / 'labels.jsonl'}"


def whole(nightcheck: Run) -> dict[str, Any]:
    """Return the row of all tenants together over the whole range."""
    lines = nightcheck("show", "relevance_daily", *RANGE, "--tenant", "*", "--json").splitlines()
    rows = [json.loads(line) for line in lines]
    (row,) = (each for each in rows if each["slice"] == "all" and each["measure"] == "irrelevant_need")
    return dict(row)


def published(home: Path) -> dict[str, bytes]:
    """Return the bytes of every published Parquet file."""
    return {path.name: path.read_bytes() for path in (home / "published").glob("*.parquet")}


@pytest.mark.integration
def test_the_census_gives_what_people_said(nightcheck: Run, census: str, home: Path) -> None:
    """648 of 2,229 undisputed passages; disputed and unlabelled ones are counted and stand outside the rate."""
    row = whole(nightcheck)

    assert (row["hits"], row["passages"]) == (648, 2_229)
    assert row["rate"] == pytest.approx(648 / 2_229, abs=1e-9)
    assert row["low"] < row["rate"] < row["high"]
    assert row["coverage"] == pytest.approx(2_229 / 2_348, abs=1e-9)
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        statuses = dict(
            connection.execute("select status, count(*) from night.passage_verdicts group by status").fetchall()
        )
    assert statuses == {"judged": 2_229, "disputed": 118, "unlabelled": 1}


@pytest.mark.integration
def test_the_pages_show_what_is_printed_of_these_traces(nightcheck: Run, census: str) -> None:
    """The replay of the gate and the date questions, line by line."""
    pages = [(DOCS / name).read_text(encoding="utf-8") for name in ("gate.md", "time-phrases.md")]
    commands = ("gate replay", "show date_questions_daily")

    for text, command in zip(pages, commands, strict=True):
        ((asked, shown),) = re.findall(rf"^\$ nightcheck ({command} .*)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
        printed = {line.rstrip() for line in nightcheck(*shlex.split(asked)).splitlines()}

        assert len(shown.splitlines()) > len(RANGE)
        assert [line for line in shown.splitlines() if line.rstrip() not in printed] == []


@pytest.mark.integration
def test_a_second_run_asks_nothing_and_gives_the_same_bytes(
    nightcheck: Run, census: str, home: Path, shared_data: Path
) -> None:
    """An unchanged day costs no judge call, and its marts are the same to the byte."""
    before = published(home)

    again = nightcheck("night", *RANGE, "--judge", labels(shared_data), "--sample", "all", "--json")

    assert sum(json.loads(line)["judged"]["asked"] for line in again.splitlines()) == 0
    assert published(home) == before


@pytest.mark.integration
def test_the_default_samples_interval_covers_the_census(nightcheck: Run, census: str, shared_data: Path) -> None:
    """Forty retrievals a tenant and night are an honest part of all."""
    nightcheck("night", *RANGE, "--judge", labels(shared_data))

    row = whole(nightcheck)

    assert row["passages"] < 2_229
    assert row["low"] < 648 / 2_229 < row["high"]
