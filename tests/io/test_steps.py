"""Reading in steps lets other processes at the database between two of them."""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event

import pyarrow as pa
import pytest

from pipelines.io.steps import in_steps, looked_at
from pipelines.io.warehouse import Held
from schemas import sql
from tests.resolution.replay.build import DAY, stored, turn

ROOT = Path(__file__).parents[2]
ORDER = ("environment", "tenant", "conversation_id", "turn_index", "occurred_at", "event_id")
STEPS = 12
AT = {"day": DAY, "environments": ["production"]}


def batches(count: int) -> list[pa.RecordBatch]:
    """Return batches that hold their number each."""
    return [pa.record_batch({"number": [number]}) for number in range(count)]


@pytest.mark.parametrize(("threads", "meet"), [(1, False), (2, True)])
def test_one_thread_looks_at_one_batch_after_the_other(threads: int, *, meet: bool) -> None:
    """What keeps a state is never in two batches at once; with two threads it would be."""
    both, met = Barrier(2), list[int]()

    def look(batch: pa.RecordBatch) -> None:
        try:
            met.append(both.wait(0.3))
        except BrokenBarrierError:  # nobody else came; from now on this is known at once
            return

    with closing(looked_at(look, batches(4), threads=threads)) as looks:
        assert [batch.column(0)[0].as_py() for batch, _ in looks] == [0, 1, 2, 3]

    assert bool(met) is meet


def test_batches_come_in_order_and_few_are_read_ahead() -> None:
    """Also where the first takes longest; those that wait are one more than there are threads."""
    second, read = Event(), list[int]()

    def reading() -> Iterator[pa.RecordBatch]:
        for number, batch in enumerate(batches(6)):
            read.append(number)
            yield batch

    def look(batch: pa.RecordBatch) -> int:
        number: int = batch.column(0)[0].as_py()
        if number == 0:
            assert second.wait(60)
        if number == 1:
            second.set()
        return number

    with closing(looked_at(look, reading(), threads=2)) as looks:
        found = [(number, len(read)) for _, number in looks]

    assert found == [(0, 3), (1, 4), (2, 5), (3, 6), (4, 6), (5, 6)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("before_others", "turns"), [(0, [1] * 7), (3, [3, 3, 1]), (9, [7])])
def test_others_wait_until_so_many_rows_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before_others: int, turns: list[int], threads: int
) -> None:
    """To give the database up costs a sort, so it is not done after every batch although someone waits all the time."""
    monkeypatch.setattr(Held, "wanted", lambda _: True)
    warehouse = stored(tmp_path, *(turn("a", index, "Which plans include SSO?") for index in range(7)))
    query, held_for = sql.load("night/turns_to_replay.sql"), Counter[Held]()
    steps = in_steps(warehouse, query, AT, len, key=ORDER, at_once=1, threads=threads, before_others=before_others)

    with closing(steps):
        for held, rows in steps:
            held_for[held] += rows

    assert list(held_for.values()) == turns


@pytest.mark.integration
@pytest.mark.parametrize("threads", [1, 2])
def test_an_ingester_gets_through_while_a_day_is_read(tmp_path: Path, threads: int) -> None:
    """`nightcheck ingest`, started during the first step, has stored its turn before the last one."""
    warehouse = stored(tmp_path, *(turn("a", index, "Which plans include SSO?") for index in range(STEPS)))
    late = tmp_path / "late.jsonl"
    late.write_bytes(turn("late", 0, "Which plans include SSO?", days=1))
    command = [sys.executable, "-m", "pipelines.cli", "ingest", str(late)]
    query, seen = sql.load("night/turns_to_replay.sql"), list[int]()

    with (
        closing(in_steps(warehouse, query, AT, len, key=ORDER, at_once=1, threads=threads)) as steps,
        subprocess.Popen(command, cwd=ROOT, env=os.environ | {"NIGHTCHECK_HOME": str(tmp_path)}) as ingester,
    ):
        deadline = time.monotonic() + 60
        for held, _ in steps:
            with held.transaction() as connection:
                ((count,),) = connection.execute("select count(*) from canonical.turns").fetchall()
            seen.append(count)
            while count == STEPS and not held.wanted() and time.monotonic() < deadline:
                time.sleep(0.01)
        ended = ingester.wait(60)

    assert ended == 0
    assert len(seen) == STEPS
    assert (seen[0], seen[-1]) == (STEPS, STEPS + 1)
