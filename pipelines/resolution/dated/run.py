"""Read the times that a day's questions name."""

from collections.abc import Sequence
from contextlib import closing
from datetime import date
from zoneinfo import ZoneInfo

from pipelines.io.registered import registered
from pipelines.io.steps import in_steps
from pipelines.io.warehouse import Warehouse
from pipelines.resolution.dated.questions import dated_questions
from schemas import sql

#: questions are read and stored in steps: the texts of a day need not fit into memory
_AT_ONCE = 20_000
#: who waits for the warehouse gets it after so many, under a second of work: to go on costs a sort
_BEFORE_OTHERS = 100_000
#: the order in which they come, and by which the place is known where a run goes on that let others in between
_ORDER = ("environment", "tenant", "event_id")


def measure_dates(warehouse: Warehouse, day: date, environments: Sequence[str]) -> int:
    """Read every question of a day's searches for the time it names; return how many there were.

    The readings are stored in place of earlier ones; a run that was ended half-way is run again. Whoever waits for the
    warehouse gets it after a few steps. What the events record of windows plays no part.
    """
    with warehouse.write() as connection:
        connection.execute(sql.load("night/forget_dated_questions.sql"), {"day": day})
    zone = ZoneInfo(warehouse.time_zone)
    read = 0
    query, parameters = sql.load("night/questions.sql"), {"day": day, "environments": list(environments)}
    steps = in_steps(warehouse, query, parameters, key=_ORDER, at_once=_AT_ONCE, before_others=_BEFORE_OTHERS)
    with closing(steps):
        for held, questions in steps:
            rows = dated_questions(questions, zone)
            with held.transaction() as connection, registered(connection, {"new_dated_questions": rows}):
                connection.execute(sql.load("night/store_dated_questions.sql"), {"day": day})
            read += len(questions)
    return read
