"""Replay the gate over the stored turns of a day."""

from collections.abc import Sequence
from contextlib import closing
from datetime import date
from typing import Any

import pyarrow as pa

from pipelines.io.registered import registered
from pipelines.io.steps import in_steps
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.resolution.gate import GATE_VERSION
from pipelines.resolution.replay.replayer import Replayer
from schemas import sql

#: turns are read, decided and stored in steps: neither texts nor decisions of a day need fit into memory
_AT_ONCE = 5_000
#: the order in which they come, and by which the place is known where a replay goes on that let others in between
_ORDER = ("environment", "tenant", "conversation_id", "turn_index", "occurred_at", "event_id")


def replay(warehouse: Warehouse, day: date, environments: Sequence[str]) -> int:
    """Decide every turn of a day with this gate and store the decisions in place of earlier ones; return how many.

    What went before in a conversation is read from earlier days too, and decided anew: reported decisions play no part.
    The same turns give the same rows. Stored is what was decided so far: a replay that was ended half-way is run again.
    Whoever waits for the warehouse gets it after the step in hand; a turn that comes in then re-opens its day anyway.
    """
    with warehouse.write() as connection:
        connection.execute(sql.load("night/forget_replayed_decisions.sql"), {"day": day})
    decided = 0
    replayer = Replayer()
    query, parameters = sql.load("night/turns_to_replay.sql"), {"day": day, "environments": list(environments)}
    with closing(in_steps(warehouse, query, parameters, key=_ORDER, at_once=_AT_ONCE)) as steps:
        for held, turns in steps:
            rows = replayer.decide(turns)
            with held.transaction() as connection:
                decided += _store(connection, day, rows)
    return decided


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
