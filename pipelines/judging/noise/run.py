"""Judges a day's sample again, past the store of verdicts, and stores what moved."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from datetime import date, datetime

from pipelines.errors import NightcheckError
from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.run import all_verdicts
from pipelines.judging.noise.floor import Floor, Grades, Place, floor_of
from pipelines.judging.run import read_sample
from pipelines.judging.verdict import Judge
from schemas import sql


class NothingJudgedError(NightcheckError):
    """A day has no verdicts to compare with."""

    def __init__(self, day: date) -> None:
        super().__init__(f"the night of {day}", "nothing was judged", f"Run it first: nightcheck night --day {day}")


def measure_noise(warehouse: Warehouse, day: date, judge: Judge, *, now: Callable[[], datetime]) -> Floor:
    """Judge a day's sample again and store how far it moved. The stored verdicts of the day stay as they are.

    The judge must not take answers from batches: they are found again by their content, and nothing would ever move.

    Raises:
        NothingJudgedError: the day has no verdicts.
    """
    retrievals = [asked.retrieval for asked in read_sample(warehouse, day, judge)]
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("night/grades_of_day.sql"), {"day": day}).fetchall()
    before: dict[Place, Grades] = {(tenant, one, rank): (query, need) for tenant, one, rank, query, need in rows}
    if not before:
        raise NothingJudgedError(day)
    after: dict[Place, Grades] = {
        (verdict.tenant, verdict.retrieval_id, passage.rank): (passage.query_grade, passage.need_grade)
        for verdict in asyncio.run(all_verdicts(judge, retrievals))
        for passage in verdict.passages
        if passage.query_grade is not None and passage.need_grade is not None
    }
    floor = floor_of(before, after, retrievals=len(retrievals), passages=sum(len(each.passages) for each in retrievals))
    with warehouse.write() as connection:
        connection.execute(
            sql.load("night/store_noise.sql"),
            asdict(floor) | asdict(judge.identity) | {"day": day, "measured_at": now()},
        )
    return floor
