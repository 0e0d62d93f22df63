"""Read the times that a day's questions name."""

from collections.abc import Sequence
from contextlib import closing
from datetime import date
from functools import partial
from zoneinfo import ZoneInfo

from pipelines.io.registered import registered
from pipelines.io.steps import in_steps
from pipelines.io.warehouse import Warehouse
from pipelines.resolution.dated.questions import dated_questions
from schemas import sql

#: questions are read and stored in steps: the texts of a day need not fit into memory
_AT_ONCE = 50_000
#: who waits for the warehouse gets it after so many, under a second of work: to go on costs a sort
_BEFORE_OTHERS = 100_000
#: the order in which they come, and by which the place is known where a run goes on that let others in between
_ORDER = ("event_id", "environment", "tenant")


def measure_dates(warehouse: Warehouse, day: date, environments: Sequence[str]) -> int:
    """Read every question of a day's searches for the time it names; return how many there were.

    The readings are stored in place of earlier ones; a run that was ended half-way is run again. Whoever waits for the
    warehouse gets it after a few steps. What the events record of windows plays no part.
    """
    with warehouse.write() as connection:
        connection.execute(sql.load("night/forget_dated_questions.sql"), {"day": day})
    read = 0
    steps = in_steps(
        warehouse,
        sql.load("night/questions.sql"),
        {"day": day, "environments": list(environments)},
        partial(dated_questions, zone=ZoneInfo(warehouse.time_zone)),
        key=_ORDER,
        at_once=_AT_ONCE,
        threads=2,
        before_others=_BEFORE_OTHERS,
    )
    with closing(steps):
        for held, rows in steps:
            with held.transaction() as connection, registered(connection, {"new_dated_questions": rows}):
                connection.execute(sql.load("night/store_dated_questions.sql"), {"day": day})
            read += len(rows)
    return read
