"""Exchanges across midnight and turns reported on two days: a night is complete by itself, and days add up."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipelines.io.warehouse import Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.run import judge_sample
from pipelines.night.run import Plan, draw, measure_disclaims
from schemas import sql
from tests.resolution.dated.build import search
from tests.resolution.replay.build import DAY, MORNING, rows, stored, turn

PLAN = Plan(environments=("production",), seed="1", cap=None)
NEXT = DAY + timedelta(days=1)
MARTS = ("answer_outcomes_daily", "disclaim_daily")
QUESTION = "Which plans include SSO?"
MIDNIGHT = MORNING.replace(hour=0) + timedelta(days=1)


def at(event: bytes, instant: datetime) -> bytes:
    """Return the event at another instant."""
    return json.dumps(json.loads(event) | {"occurred_at": instant.isoformat()}).encode()


def around(seconds: float) -> datetime:
    """Return the instant that many seconds after the midnight that ends the day."""
    return MIDNIGHT + timedelta(seconds=seconds)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse with an exchange in the day, one in the next, and one each way across the midnight between."""
    said = [
        at(each, around(seconds))
        for name, searched, answered, answer in (
            ("day", -600, -599, "I don't know."),
            ("next", 600, 601, "I don't know."),
            ("forth", -2, 1, "I don't know."),
            ("back", 3, -1, "The team plan does."),
        )
        for each, seconds in (
            (search(name, 0, QUESTION, "The team plan includes SSO."), searched),
            (turn(name, 0, QUESTION, answer), answered),
        )
    ]
    return stored(tmp_path, *said)


def run(warehouse: Warehouse, *days: date) -> dict[date, list[Any]]:
    """Run what these marts are made from, one night after the other; return what they say of each right after it."""
    found = {}
    for day in days:
        draw(warehouse, day, LexicalJudge(), PLAN)
        judge_sample(warehouse, day, LexicalJudge(), now=lambda: MORNING)
        measure_disclaims(warehouse, day, PLAN.environments)
        found[day] = [made(warehouse, mart, day, day).rows() for mart in MARTS]
    return found


def made(warehouse: Warehouse, mart: str, first: date, last: date) -> pl.DataFrame:
    """Return what a mart says of a range."""
    with warehouse.read() as connection:
        query, days = sql.load(f"marts/{mart}/query.sql"), {"first_day": first, "last_day": last}
        found: pl.DataFrame = connection.sql(query, params=days).pl()
    return found


def counted(warehouse: Warehouse, mart: str, figure: str, first: date, last: date) -> int:
    """Return a count over all of a range."""
    cells = made(warehouse, mart, first, last).filter(tenant="*", turn="all", language="*")
    return int(cells.get_column(figure).to_list()[0])


def test_a_night_says_the_same_whichever_others_ran(warehouse: Warehouse) -> None:
    """Run for the first time, and again after the night of the next day."""
    before = run(warehouse, DAY)
    next_day = run(warehouse, NEXT)

    assert run(warehouse, DAY) == before
    assert run(warehouse, NEXT) == next_day


def test_an_answer_beyond_midnight_belongs_to_its_search(warehouse: Warehouse) -> None:
    """An outcome is of the day of the search and a disclaim of the day of its turn: each once, and days add up."""
    run(warehouse, DAY, NEXT)

    for mart in MARTS:
        days = [counted(warehouse, mart, "answers", day, day) for day in (DAY, NEXT)]
        assert days == [2, 2]
        assert counted(warehouse, mart, "answers", DAY, NEXT) == 4
    assert counted(warehouse, "disclaim_daily", "disclaimed", DAY, DAY) == 1
    assert counted(warehouse, "disclaim_daily", "disclaimed", NEXT, NEXT) == 2


def test_how_many_answers_a_night_looked_at_are_those_of_its_day(warehouse: Warehouse) -> None:
    """Those beyond midnight are stored with it and not counted as its own."""
    draw(warehouse, DAY, LexicalJudge(), PLAN)

    looked_at = measure_disclaims(warehouse, DAY, PLAN.environments)

    assert looked_at == 2
    assert rows(warehouse, "select count(*) from night.disclaims") == [(3,)]


def test_a_turn_reported_on_both_sides_of_midnight_counts_once_over_both_days(tmp_path: Path) -> None:
    """By its first delivery, as in the telemetry of the gate; and a search is among the worst of them once."""
    warehouse = stored(
        tmp_path,
        at(turn("twice", 0, QUESTION, "I don't know."), around(-60)),
        at(turn("twice", 0, QUESTION, "I don't know.", event="again"), around(60)),
        at(search("twice", 0, QUESTION, "Bread is baked."), around(-61)),
        at(search("twice", 0, QUESTION, "Bread is baked.", event="again"), around(59)),
        at(turn("once", 0, QUESTION, "All do."), around(120)),
    )
    run(warehouse, DAY, NEXT)

    assert counted(warehouse, "disclaim_daily", "answers", DAY, NEXT) == 2
    assert counted(warehouse, "disclaim_daily", "disclaimed", DAY, NEXT) == 1
    assert made(warehouse, "gate_daily", DAY, NEXT).filter(tenant="*", measure="decision")[
        "total"
    ].unique().to_list() == [2]
    assert len(made(warehouse, "worst_retrievals", DAY, DAY)) == 1
    assert len(made(warehouse, "worst_retrievals", DAY, NEXT)) == 1
