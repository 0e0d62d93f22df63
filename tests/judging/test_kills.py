"""Nights that are killed for real: a process of its own, a server that counts what is paid for, and a second run."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from pipelines.io.judge_files import AnswerJournal, StoredProbe, write_capabilities
from pipelines.io.warehouse import Warehouse
from tests.judging.scripted_endpoint import (
    Call,
    Hang,
    Reply,
    Said,
    Script,
    ScriptedBatches,
    ScriptedEndpoint,
    scripted,
    well,
)
from tests.judging.test_anchors import an_anchor
from tests.judging.test_whole_night import DAY, TURNS, finish, start, stored, write_events

pytestmark = pytest.mark.integration
MODEL = "judge-2026-01-01"


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse with the events of the night; to be copied."""
    folder = tmp_path_factory.mktemp("ingested")
    write_events(folder / "events.jsonl")
    with scripted(well) as endpoint:
        finish(start(folder, endpoint, "ingest", str(folder / "events.jsonl")))
    return folder / "warehouse.duckdb"


@pytest.fixture
def home(ingested: Path, tmp_path: Path) -> Path:
    """Return a home of the test's own."""
    (tmp_path / "warehouse.duckdb").write_bytes(ingested.read_bytes())
    return tmp_path


def night(home: Path, endpoint: ScriptedEndpoint, **settings: str) -> subprocess.Popen[str]:
    """Start the part of the night that costs money."""
    environment = {
        "NIGHTCHECK_JUDGE_BASE_URL": endpoint.base_url,
        "NIGHTCHECK_JUDGE_MODEL": MODEL,
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.judging.dying_night", str(home), DAY],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment | settings,
    )


def in_batches(home: Path, script: Script) -> ScriptedBatches:
    """Return an endpoint that is known to have batches, each over as soon as it is looked at."""
    endpoint = ScriptedBatches(script)
    endpoint.looked_at_before_over = 0
    known = StoredProbe(form="json_schema", refused=(), batches=True, probed_at="")
    write_capabilities(home, endpoint.base_url, MODEL, known)
    return endpoint


BATCH = {"NIGHTCHECK_JUDGE_MODE": "batch"}


def wait_for(process: subprocess.Popen[str], reached: threading.Event) -> None:
    """Wait until the server has seen what the test waits for; a night that ended before it is an error."""
    while not reached.wait(0.2):
        assert process.poll() is None, process.communicate()


def wait_until_answered(home: Path, answers: int, work: str = DAY) -> None:
    """Wait until the night, or what else is done, has so many answers in hand."""
    pause = threading.Event()
    for _ in range(600):
        if len(AnswerJournal(home, work).kept()) >= answers:
            return
        pause.wait(0.1)
    pytest.fail("the night did not receive its answers")


def statuses_and_grades(home: Path) -> dict[tuple[str, bool], int]:
    """Return how many passages have which status, and with it a grade or none."""
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        rows = connection.execute(
            "select status, query_grade is not null and need_grade is not null, count(*) from night.passage_verdicts group by all"
        ).fetchall()
    return {(status, graded): count for status, graded, count in rows}


#: what the night is killed at, as the server sees it, in this order
INSTANTS = (
    ("before", "POST /v1/files"),
    ("after", "POST /v1/files"),
    ("before", "POST /v1/batches"),
    ("after", "POST /v1/batches"),
    ("before", "GET /v1/batches/ID"),
    ("before", "GET /v1/files/ID/content"),
    ("after", "GET /v1/files/ID/content"),
)


def kill_at(home: Path, endpoint: ScriptedBatches, instant: tuple[str, str]) -> None:
    """Run the night until the server sees this, which it does not answer before the night is dead."""
    reached, killed = threading.Event(), threading.Event()

    def hold(when: str, what: str) -> None:
        if (when, what) == instant and not killed.is_set():
            reached.set()
            killed.wait(60)
            if when == "before":
                raise ConnectionAbortedError  # the call never arrived

    endpoint.instants = hold
    process = night(home, endpoint, **BATCH)
    try:
        wait_for(process, reached)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed.set()
    endpoint.instants = lambda _when, _what: None


def test_a_batch_killed_at_every_instant_is_paid_for_once(home: Path) -> None:
    """Seven runs of one night die, each farther on; the eighth finds what they handed in, and makes no live call."""
    endpoint = in_batches(home, well)
    try:
        for instant in INSTANTS:
            kill_at(home, endpoint, instant)
            assert stored(home) == Counter()
        finish(night(home, endpoint, **BATCH))
    finally:
        endpoint.close()

    assert stored(home) == {"judged": TURNS}
    assert Counter(Counter(endpoint.batched).values()) == {1: TURNS}
    assert (len(endpoint.batches), endpoint.calls) == (1, [])
    assert statuses_and_grades(home) == {("judged", True): 2 * TURNS}


def test_a_batch_killed_in_its_second_tries_pays_for_nothing_that_was_answered(home: Path) -> None:
    """Some answers of the batch are malformed; the night dies while it asks about the fifth of these again."""
    reached = threading.Event()
    answered = 4

    def odd(call: Call) -> Reply:
        if len(call.body["messages"]) == 2:
            return Said(text="no") if call.number % 4 == 0 else well(call)
        if call.number <= answered:
            return well(call)
        reached.set()
        return Hang()

    endpoint = in_batches(home, odd)
    try:
        process = night(home, endpoint, **BATCH, NIGHTCHECK_JUDGE_MOST_AT_ONCE="1")
        wait_for(process, reached)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        endpoint.script = well
        before = len(endpoint.calls)
        finish(night(home, endpoint, **BATCH))

        assert (before, len(endpoint.calls) - before) == (answered + 1, TURNS // 4 - answered)
    finally:
        endpoint.closing.set()
        endpoint.close()
    assert stored(home) == {"judged": TURNS}
    assert Counter(Counter(endpoint.batched).values()) == {1: TURNS}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_frozen_passages_are_paid_for_once_by_a_command_that_dies(tmp_path: Path, how: signal.Signals) -> None:
    """Killed, or stopped by Ctrl-C, after 9 of 12 answers: the second run asks for three, and the ledger has twelve."""
    answered, asked = 9, 12
    reached = threading.Event()

    def stuck(call: Call) -> Reply:
        if call.number <= answered:
            return well(call)
        reached.set()
        return Hang()

    anchors = tmp_path / "anchors.jsonl"
    anchors.write_bytes(b"\n".join(an_anchor(number, message=f"Which {number}?") for number in range(asked)))
    judge = ("judge", "anchors", "judge", "--day", DAY)
    with scripted(stuck) as endpoint:
        finish(start(tmp_path, endpoint, "judge", "anchors", "import", str(anchors)))
        process = start(tmp_path, endpoint, *judge)
        wait_for(process, reached)
        wait_until_answered(tmp_path, answered, work=f"anchors-{DAY}")
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
        assert process.returncode != 0
        assert "Traceback" not in err
    with scripted(well) as endpoint:
        finish(start(tmp_path, endpoint, *judge))
        finish(start(tmp_path, endpoint, *judge))

        assert len(endpoint.calls) == asked - answered
    with Warehouse(tmp_path / "warehouse.duckdb").read() as connection:
        spent = connection.execute("select what, sum(calls) from night.spending group by all").fetchall()
        statuses = connection.execute("select status, count(*) from night.anchor_verdicts group by all").fetchall()
    assert (spent, statuses) == ([("anchors", asked)], [("judged", 5 * asked)])
    assert list((tmp_path / "judge" / "answers").iterdir()) == []


def test_noise_that_is_stopped_says_what_is_true(home: Path) -> None:
    """What was measured is lost, since noise is measured anew; what it cost is in the ledger, and the command says so."""
    answered = 10
    reached = threading.Event()

    def stuck(call: Call) -> Reply:
        if call.number <= TURNS + answered:
            return well(call)
        reached.set()
        return Hang()

    with scripted(stuck) as endpoint:
        finish(night(home, endpoint))
        one_by_one = {"NIGHTCHECK_JUDGE_MOST_AT_ONCE": "1"}
        process = start(home, endpoint, "judge", "noise", "--day", DAY, **one_by_one)
        wait_for(process, reached)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "What it has cost is in the ledger" in err
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        spent = dict(connection.execute("select what, sum(calls) from night.spending group by all").fetchall())
    assert spent == {"verdicts": TURNS, "noise": answered}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_live_night_that_dies_pays_for_no_answer_twice(home: Path, how: signal.Signals) -> None:
    """Killed, or stopped by Ctrl-C, after 25 answers: the second run asks for the others alone."""
    answered = 25
    reached = threading.Event()

    def stuck(call: Call) -> Reply:
        if call.number <= answered:
            return well(call)
        reached.set()
        return Hang()

    with scripted(stuck) as endpoint:
        process = start(home, endpoint, "night", "--day", DAY, "--sample", "all")
        wait_for(process, reached)
        wait_until_answered(home, answered)
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
        assert process.returncode != 0
        assert "Traceback" not in err
        if how is signal.SIGINT:
            assert "stopped. What was done is kept" in err
    with scripted(well) as endpoint:
        finish(night(home, endpoint))

        assert len(endpoint.calls) == TURNS - answered
    assert stored(home) == {"judged": TURNS}
    assert statuses_and_grades(home) == {("judged", True): 2 * TURNS}
