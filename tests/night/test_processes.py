"""Nights in processes of their own: two at once, two that publish, and one that is killed again and again."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipelines.ingest.run import ingest
from pipelines.io.turns import UnderWayError, in_turn
from pipelines.io.warehouse import Warehouse
from pipelines.marts.publishing.run import publish
from pipelines.night.run import alone
from tests.ingest.sources import Records
from tests.resolution.dated.build import search
from tests.resolution.replay.build import DAY, MORNING, turn

SAID = [
    line
    for number in range(40)
    for line in (
        turn(
            f"c{number}", 0, f"Which plans include the feature {number}?", "I don't know." if number % 3 else "All do."
        ),
        search(
            f"c{number}", 0, f"Which plans include the feature {number}?", f"Plan {number} does.", "Bread is baked."
        ),
    )
]


def installed(home: Path) -> Path:
    """Make an installation that has a day of events and no night."""
    ingest(Records(SAID), Warehouse(home / "warehouse.duckdb"), now=lambda: MORNING)
    return home


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"NIGHTCHECK_HOME": str(home), "NIGHTCHECK_JUDGE": "lexical"},
    )


def finish(*children: subprocess.Popen[str]) -> list[str]:
    """Return what processes said; all must have ended well."""
    said = [child.communicate(timeout=240)[0] for child in children]
    assert [child.returncode for child in children] == [0] * len(children), said
    return said


def published(home: Path) -> dict[str, str]:
    """Return a digest of every Parquet file that people read; nothing else may lie about."""
    folder = home / "published"
    files = sorted(folder.iterdir())
    assert [file.name for file in files if file.name.startswith(".")] == []
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.suffix == ".parquet"}


def has_begun(home: Path) -> bool:
    """Whether a night is at work at its day."""
    return (home / f"warehouse.duckdb.night-{DAY}.lock").exists()


def has_judged(home: Path) -> bool:
    """Whether verdicts are stored."""
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        return connection.execute("select 1 from night.verdicts limit 1").fetchall() != []


def has_measured(home: Path) -> bool:
    """Whether what comes after the verdicts has begun."""
    with Warehouse(home / "warehouse.duckdb").read() as connection:
        return connection.execute("select 1 from night.disclaims limit 1").fetchall() != []


def is_publishing(home: Path) -> bool:
    """Whether files are being written beside those that people read."""
    return any((home / "published").glob(".*.new"))


def kill_a_night(home: Path, at: Callable[[Path], bool]) -> bool:
    """Start a night and kill it as soon as it has come so far; return whether it was still at it."""
    (home / f"warehouse.duckdb.night-{DAY}.lock").unlink(missing_ok=True)
    night = start(home, "night", "--day", str(DAY))
    while not (has_begun(home) and at(home)) and night.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            night.wait(timeout=0.01)
    night.kill()
    night.communicate()
    return night.returncode < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Undisturbed:
    """A night that nothing disturbs: where it ran and what it published."""

    home: Path
    published: dict[str, str]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Run one."""
    home = installed(tmp_path_factory.mktemp("undisturbed"))
    finish(start(home, "night", "--day", str(DAY)))
    return Undisturbed(home=home, published=published(home))


@pytest.mark.integration
def test_two_nights_of_one_day_at_once_are_as_one(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """They wait for each other: every verdict is asked for once, and what is published is as if one had run."""
    home = installed(tmp_path)

    with alone(Warehouse(home / "warehouse.duckdb"), DAY):
        nights = [start(home, "night", "--day", str(DAY), "--json") for _ in range(2)]
        waiting = [night.stdout.readline() for night in nights if night.stdout is not None]
    said = finish(*nights)

    assert waiting == [f"waiting for the night of {DAY}, which another process does\n"] * 2
    assert sorted('"asked": 40' in each for each in said) == [False, True]
    assert sorted('"known": 40' in each for each in said) == [False, True]
    assert published(home) == undisturbed.published
    assert list(home.glob("*.night-*")) == []


@pytest.mark.integration
def test_a_night_killed_at_each_of_its_steps_and_run_again_is_as_undisturbed(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    """With kill -9 when it has begun, judged, measured or half published; the night after it publishes the same bytes."""
    home = installed(tmp_path)
    killed = [kill_a_night(home, at) for at in (has_begun, has_judged, has_measured, is_publishing)]
    finish(start(home, "night", "--day", str(DAY)))

    assert killed[:3] == [True] * 3  # files are aside for an instant only, which may pass unseen
    assert published(home) == undisturbed.published


@pytest.mark.integration
def test_two_that_publish_at_once_both_do(undisturbed: Undisturbed) -> None:
    """Each writes all files, one after the other, and nothing is left lying about."""
    finish(*(start(undisturbed.home, "publish") for _ in range(2)))

    assert published(undisturbed.home) == undisturbed.published


def test_who_waits_for_a_night_says_so_and_gives_up_in_the_end(tmp_path: Path) -> None:
    """Another day's night is not waited for; one of the same day, or a second publisher, is, and named in the error."""
    said: list[str] = []
    first = Warehouse(tmp_path / "warehouse.duckdb")
    second = Warehouse(tmp_path / "warehouse.duckdb", wait_seconds=0.1, on_wait=said.append)
    with first.write():
        pass

    with (
        alone(first, DAY),
        alone(second, MORNING.date().replace(day=1)),
        pytest.raises(UnderWayError, match="the night of 2026-11-29: another process"),
        alone(second, DAY),
    ):
        pass
    with (
        in_turn("x", tmp_path / "out" / ".publishing.lock", seconds=1, on_wait=said.append),
        pytest.raises(UnderWayError, match="publishing to"),
    ):
        publish(second, tmp_path / "out")

    assert said[0] == "waiting for the night of 2026-11-29, which another process does"
    with alone(second, DAY):
        pass


def test_a_lock_file_left_by_a_dead_process_keeps_nobody_out(tmp_path: Path) -> None:
    """The file is a place to lock, not the lock."""
    (tmp_path / ".publishing.lock").touch()

    with in_turn("x", tmp_path / ".publishing.lock", seconds=0, on_wait=lambda _: None):
        pass

    assert list(tmp_path.iterdir()) == []
