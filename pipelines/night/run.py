"""Run the night of one day, step by step; every step can be run again and gives the same."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime

import pyarrow as pa

from pipelines.disclaim import DISCLAIM_VERSION
from pipelines.io.registered import registered
from pipelines.io.steps import looked_at
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.judging.anchors.run import AnchorNight, judge_anchors
from pipelines.judging.disclaims import disclaims
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.run import Judged, judge_sample
from pipelines.judging.verdict import Judge
from pipelines.marts.run import make
from pipelines.resolution.dated.run import measure_dates
from pipelines.resolution.replay.run import replay
from pipelines.sampling.run import Sample, sample
from pipelines.settings import Settings, sample_cap
from schemas import sql

#: answers are looked at in steps: a night's texts need not fit into memory, what is said of them does
_ANSWERS_AT_ONCE = 20_000
#: of those steps; half of their work is done outside of Python's lock
_STEPS_AT_ONCE = 2
#: rows of what was found, without the texts
_STORED_AT_ONCE = 100_000
#: turns of a day that a night replays the gate over; `nightcheck gate replay` does it over all
REPLAYED_AT_MOST = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How nights are run: whose traffic, which draw, which judge."""

    environments: tuple[str, ...]
    seed: str
    cap: int | None


def plan_of(settings: Settings, cap: str | None = None) -> Plan:
    """Return how nights are run by these settings, or with another cap; raises `UsageError` for one that is none."""
    return Plan(
        environments=settings.environments,
        seed=settings.sample_seed,
        cap=settings.sample_cap if cap is None else sample_cap(cap),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What a night did."""

    sample: Sample
    judged: Judged
    anchors: AnchorNight
    answers: int
    replayed: int
    questions: int
    rows: dict[str, int]


def run_night(
    warehouse: Warehouse,
    day: date,
    judge: Judge,
    plan: Plan,
    *,
    now: Callable[[], datetime],
    on_verdict: Callable[[int, int], None] = lambda _done, _of: None,
) -> Night:
    """Sample, judge, measure and make the marts of a day, when no other process does."""
    with alone(warehouse, day):
        drawn = draw(warehouse, day, judge, plan)
        # first, so that a budget that ends leaves the instrument watched: it is few calls
        anchors = watch_judge(warehouse, day, judge, now=now)
        judged = judge_sample(warehouse, day, judge, now=now, on_verdict=on_verdict)
        answers = measure_disclaims(warehouse, day, plan.environments)
        replayed = replay(warehouse, day, plan.environments, at_most=REPLAYED_AT_MOST)
        questions = measure_dates(warehouse, day, plan.environments)
        rows = make(warehouse, day)
    return Night(
        sample=drawn,
        judged=judged,
        anchors=anchors,
        answers=answers,
        replayed=replayed,
        questions=questions,
        rows=rows,
    )


@contextmanager
def alone(warehouse: Warehouse, day: date) -> Iterator[None]:
    """Be the only one that works at the night of a day, whoever else runs it: another waits, and finds it done.

    Two at once would ask the judge for the same verdicts twice, and take each other's samples for their own.
    """
    lock = warehouse.path.with_name(f"{warehouse.path.name}.night-{day}.lock")
    with warehouse.in_turn(f"the night of {day}", lock):
        yield


def draw(warehouse: Warehouse, day: date, judge: Judge, plan: Plan) -> Sample:
    """Draw the sample of a day and note which judge is to judge it."""
    identity = judge.identity

    def note(connection: Connection, drawn: Sample) -> None:
        connection.execute(
            sql.load("night/store_night.sql"),
            {
                "day": day,
                "environments": list(plan.environments),
                "frame_hash": drawn.frame_hash,
                "frame_size": drawn.frame_size,
                "sample_size": drawn.sample_size,
                "seed": plan.seed,
                "cap": plan.cap,
                "watermark": drawn.watermark,
                "judge": identity.judge,
                "model": identity.model,
                "rubric_version": identity.rubric_version,
                "prompt_hash": identity.prompt_hash,
                "disclaim_version": DISCLAIM_VERSION,
            },
        )

    return sample(warehouse, day, environments=plan.environments, seed=plan.seed, cap=plan.cap, note=note)


def watch_judge(warehouse: Warehouse, day: date, judge: Judge, *, now: Callable[[], datetime]) -> AnchorNight:
    """Have the frozen passages judged anew, past the store of verdicts; what answered for this night is left alone."""
    asked_anew = judge.past_the_store() if isinstance(judge, OpenAIJudge) else judge
    return judge_anchors(warehouse, day, asked_anew, now=now)


def measure_disclaims(warehouse: Warehouse, day: date, environments: Sequence[str]) -> int:
    """Look at every answer of a day, not only sampled ones, for whether it disclaims; return how many there were.

    The answers beyond midnight that drawn searches of the day belong to are looked at too, and stored with the day.
    Either all of it is stored or nothing; neither the texts of a day nor what is said of them need fit into memory.
    """
    parameters = {"day": day, "environments": list(environments)}
    counts = {"night/answers.sql": 0, "night/answers_across_midnight.sql": 0}
    with warehouse.write() as connection, closing(connection.cursor()) as reader:
        connection.execute(sql.load("night/forget_disclaims.sql"), {"day": day})
        for query in counts:
            # a connection of its own, so that answers stream while what was found is stored
            with (
                closing(reader.sql(sql.load(query), params=parameters).to_arrow_reader(_ANSWERS_AT_ONCE)) as answers,
                closing(looked_at(disclaims, answers, threads=_STEPS_AT_ONCE)) as looks,
            ):
                for rows in _many_together(rows for _, rows in looks):
                    with registered(connection, {"new_disclaims": rows}):
                        connection.execute(sql.load("night/store_disclaims.sql"), {"day": day})
                    counts[query] += len(rows)
    return counts["night/answers.sql"]


def _many_together(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Put tables together until there are many rows: the warehouse stores them faster than few."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(map(len, waiting)) >= _STORED_AT_ONCE:
            yield pa.concat_tables(waiting)
            waiting.clear()
    if waiting:
        yield pa.concat_tables(waiting)


def days_to_run(warehouse: Warehouse, first: date, last: date) -> list[date]:
    """Return the days between two that have events and no night, or events that came after their night."""
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("night/days_to_run.sql"), {"first": first, "last": last}).fetchall()
    return [day for (day,) in rows]


def freshness(warehouse: Warehouse) -> tuple[date | None, date | None]:
    """Return the newest day that has events and the newest day whose night was published, where there are any."""
    with warehouse.read() as connection:
        ((events, night),) = connection.execute(sql.load("night/freshness.sql")).fetchall()
    return events, night
