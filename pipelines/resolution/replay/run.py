"""Replay the gate over the stored turns of a day."""

from collections.abc import Sequence
from contextlib import closing
from datetime import date
from typing import Any

import polars as pl
import pyarrow as pa

from pipelines.io.registered import registered
from pipelines.io.steps import in_steps
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.resolution.gate import GATE_VERSION
from pipelines.resolution.replay.replayer import Replayer
from pipelines.sampling.allocate import allocate
from schemas import sql

#: turns are read, decided and stored in steps: neither texts nor decisions of a day need fit into memory
_AT_ONCE = 10_000
#: who waits for the warehouse gets it after so many turns, under a second of work: to go on costs a sort
_BEFORE_OTHERS = 25_000
#: the order in which they come, and by which the place is known where a replay goes on that let others in between
_ORDER = ("environment", "tenant", "conversation_id", "turn_index", "occurred_at", "event_id")


def replay(warehouse: Warehouse, day: date, environments: Sequence[str], *, at_most: int | None = None) -> int:
    """Decide the turns of a day with this gate and store the decisions in place of earlier ones; return how many.

    All of them, or about `at_most`: then each tenant is allotted its share (`allocate`) and gets whole conversations
    until it has that, those of the smallest hash; it gets one at least, so the number may be exceeded by the rest of a
    conversation each. A day whose turns were all asked for once is replayed whole whatever is asked for later.

    What went before in a conversation is read from earlier days too, and decided anew: reported decisions play no part.
    The same turns give the same rows. Stored is what was decided so far: a replay that was ended half-way is run again.
    Whoever waits for the warehouse gets it after a few steps; a turn that comes in then re-opens its day anyway.
    """
    at = {"day": day, "environments": list(environments)}
    with warehouse.write() as connection:
        connection.execute(sql.load("night/forget_replayed_decisions.sql"), {"day": day})
        _allot(connection, at, at_most)
    decided = 0
    steps = in_steps(
        warehouse,
        sql.load("night/turns_to_replay.sql"),
        at,
        Replayer().decide,
        key=_ORDER,
        at_once=_AT_ONCE,
        threads=1,  # a conversation may go on in the next batch
        before_others=_BEFORE_OTHERS,
    )
    with closing(steps):
        for held, rows in steps:
            with held.transaction() as connection:
                decided += _store(connection, day, rows)
    return decided


def _allot(connection: Connection, at: dict[str, Any], at_most: int | None) -> None:
    """Note which conversations of each tenant are to be replayed."""
    ((was_whole,),) = connection.execute(sql.load("night/is_replayed_whole.sql"), {"day": at["day"]}).fetchall()
    is_whole = at_most is None or was_whole
    connection.execute(sql.load("night/replay_frame.sql"), at)
    sizes = connection.sql(sql.load("night/replay_sizes.sql")).pl()
    allotted = allocate(sizes["turns"].to_list(), cap=None if is_whole else at_most)
    allotment = sizes.with_columns(pl.Series("allotted", allotted, dtype=pl.Int64))
    connection.execute(sql.load("night/forget_replays.sql"), {"day": at["day"]})
    with registered(connection, {"allotment": allotment.to_arrow()}):
        connection.execute(sql.load("night/store_replays.sql"), {"day": at["day"], "is_whole": is_whole})


def _store(connection: Connection, day: date, rows: pa.Table | pa.RecordBatch) -> int:
    at = {"day": day, "gate_version": GATE_VERSION}
    with registered(connection, {"new_replayed_decisions": rows}):
        ((stored,),) = connection.execute(sql.load("night/store_replayed_decisions.sql"), at).fetchall()
    return int(stored)


def days_with_turns(warehouse: Warehouse, first: date, last: date) -> list[date]:
    """Return the days between two that have turns; raises `NoWarehouseError` where nothing was ever written."""
    with warehouse.read() as connection:
        at = {"first_day": first, "last_day": last}
        rows = connection.execute(sql.load("night/days_with_turns.sql"), at).fetchall()
    return [day for (day,) in rows]


def examples(
    warehouse: Warehouse, first: date, last: date, *, tenant: str | None, at_most: int
) -> list[dict[str, Any]]:
    """Return at most so many turns for each thing that the gate would do: the message, and what it is combined with.

    `skipped` are those that would be follow-ups without the ten-character skip. The same turns give the same examples.
    """
    parameters = {"first_day": first, "last_day": last, "tenant": tenant, "at_most": at_most}
    with warehouse.read() as connection:
        picked: list[dict[str, Any]] = (
            connection.sql(sql.load("night/replay_examples.sql"), params=parameters).pl().to_dicts()
        )
    return picked
