"""Read the times that a day's questions name."""

from collections.abc import Sequence
from contextlib import closing
from datetime import date
from zoneinfo import ZoneInfo

from pipelines.io.registered import registered
from pipelines.io.warehouse import Warehouse
from pipelines.resolution.dated.questions import dated_questions
from schemas import sql

#: questions are read and stored in steps: the texts of a day need not fit into memory
_AT_ONCE = 5_000


def measure_dates(warehouse: Warehouse, day: date, environments: Sequence[str]) -> int:
    """Read every question of a day's searches for the time it names; return how many there were.

    The readings are stored in place of earlier ones; a run that was ended half-way is run again. What the events record
    of windows plays no part.
    """
    parameters = {"day": day, "environments": list(environments)}
    zone = ZoneInfo(warehouse.time_zone)
    read = 0
    with warehouse.hold() as held:
        with held.transaction() as connection:
            connection.execute(sql.load("night/forget_dated_questions.sql"), {"day": day})
        # a connection of its own, so that questions stream while readings are stored
        with closing(connection.cursor()) as reader:
            questions = reader.sql(sql.load("night/questions.sql"), params=parameters)
            for batch in questions.to_arrow_reader(_AT_ONCE):
                found = dated_questions(batch, zone)
                with held.transaction() as connection, registered(connection, {"new_dated_questions": found}):
                    connection.execute(sql.load("night/store_dated_questions.sql"), {"day": day})
                read += len(batch)
    return read
