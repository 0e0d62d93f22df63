"""Reading in steps lets other processes at the database between two of them."""

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.io.steps import in_steps
from schemas import sql
from tests.resolution.replay.build import DAY, stored, turn

ROOT = Path(__file__).parents[2]
ORDER = ("environment", "tenant", "conversation_id", "turn_index", "occurred_at", "event_id")
STEPS = 12


@pytest.mark.integration
@pytest.mark.parametrize("threads", [1, 2])
def test_an_ingester_gets_through_while_a_day_is_read(tmp_path: Path, threads: int) -> None:
    """`nightcheck ingest`, started during the first step, has stored its turn before the last one."""
    warehouse = stored(tmp_path, *(turn("a", index, "Which plans include SSO?") for index in range(STEPS)))
    late = tmp_path / "late.jsonl"
    late.write_bytes(turn("late", 0, "Which plans include SSO?", days=1))
    command = [sys.executable, "-m", "pipelines.cli", "ingest", str(late)]
    at = {"day": DAY, "environments": ["production"]}
    query, seen = sql.load("night/turns_to_replay.sql"), list[int]()

    with (
        closing(in_steps(warehouse, query, at, len, key=ORDER, at_once=1, threads=threads)) as steps,
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
