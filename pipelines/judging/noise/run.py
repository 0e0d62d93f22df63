"""Judges a day's sample again, past the store of verdicts, and stores what moved."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date, datetime
from functools import partial

from pipelines.errors import NightcheckError
from pipelines.io.warehouse import Warehouse
from pipelines.judging.noise.floor import MEASURES, Floor, Grades, Place, floor_of
from pipelines.judging.run import read_sample
from pipelines.judging.spending.run import Purpose, store_spending, within_budget
from pipelines.judging.steps import MOST_AT_ONCE, SOON, in_steps, undisturbed
from pipelines.judging.verdict import Judge, RetrievalToJudge, RetrievalVerdict
from schemas import sql


class NothingJudgedError(NightcheckError):
    """A day has no verdicts to compare with."""

    def __init__(self, day: date) -> None:
        super().__init__(f"the night of {day}", "nothing was judged", f"Run it first: nightcheck night --day {day}")


def measure_noise(
    warehouse: Warehouse, day: date, judge: Judge, *, now: Callable[[], datetime]
) -> dict[str, list[Floor]]:
    """Judge a day's sample again and store how far it moved, by environment and measure; return that.

    The stored verdicts of the day stay as they are. What it costs is in the ledger within moments, and held to one
    budget for all environments and runs of a day. One that is stopped has measured nothing, and begins anew. The judge
    must not take answers from batches: they are found again by their content, and nothing would ever move.

    Raises:
        NothingJudgedError: the day has no verdicts.
    """
    asked = read_sample(warehouse, day, judge)
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("night/grades_of_day.sql"), {"day": day}).fetchall()
    if not rows:
        raise NothingJudgedError(day)
    before: defaultdict[str, dict[Place, Grades]] = defaultdict(dict)
    for environment, tenant, retrieval_id, rank, query, need in rows:
        before[environment][tenant, retrieval_id, rank] = (query, need)
    floors, measured_at = {}, now()
    for environment in sorted(before):
        # one after the other: the ids of a retrieval are its tenant's within one environment only
        retrievals = [one.retrieval for one in asked if one.environment == environment]
        purpose = Purpose(day=day, what="noise", model=judge.identity.model, environment=environment)
        asked_anew = within_budget(warehouse, day, judge, noise=True)
        verdicts = asyncio.run(_ask(asked_anew, retrievals, partial(_pay, warehouse, purpose, now)))
        floors[environment] = _floors(before[environment], retrievals, verdicts)
        where = asdict(judge.identity) | {"day": day, "environment": environment, "measured_at": measured_at}
        with warehouse.write() as connection:
            for floor in floors[environment]:
                connection.execute(sql.load("night/store_noise.sql"), asdict(floor) | where)
    return floors


async def _ask(
    judge: Judge, retrievals: Sequence[RetrievalToJudge], pay: Callable[[Sequence[RetrievalVerdict]], None]
) -> list[RetrievalVerdict]:
    """Return a judge's verdicts on retrievals, asked now; `pay` is given them in steps, as they come."""
    verdicts: list[RetrievalVerdict] = []
    async for step in in_steps(judge.judge(retrievals), most=MOST_AT_ONCE, seconds=SOON):
        await undisturbed(asyncio.to_thread(pay, step))
        verdicts += step
    return verdicts


def _pay(
    warehouse: Warehouse, purpose: Purpose, now: Callable[[], datetime], verdicts: Sequence[RetrievalVerdict]
) -> None:
    with warehouse.write() as connection:
        store_spending(connection, purpose, verdicts, now())


def _floors(
    before: dict[Place, Grades], retrievals: Sequence[RetrievalToJudge], verdicts: Sequence[RetrievalVerdict]
) -> list[Floor]:
    after: dict[Place, Grades] = {
        (verdict.tenant, verdict.retrieval_id, passage.rank): (passage.query_grade, passage.need_grade)
        for verdict in verdicts
        for passage in verdict.passages
        if passage.query_grade is not None and passage.need_grade is not None
    }
    passages = sum(len(each.passages) for each in retrievals)
    return [floor_of(each, before, after, retrievals=len(retrievals), passages=passages) for each in MEASURES]
