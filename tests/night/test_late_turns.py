"""Which nights a turn that comes late makes due again: its own day, and later days of its conversation."""

from datetime import timedelta
from pathlib import Path

import pytest

from pipelines.ingest.run import ingest
from pipelines.io.warehouse import Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.marts.run import finish
from pipelines.night.run import Plan, days_to_run, draw
from tests.ingest.sources import Records
from tests.resolution.replay.build import DAY, MORNING, stored, turn

LAST = DAY + timedelta(days=30)
PLAN = Plan(environments=("production",), seed="1", cap=None)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse whose nights were all run: one conversation on four days, another on two of them."""
    said = [turn("a", days, "Which plans include SSO?", days=days) for days in (0, 2, 7, 9)]
    said += [turn("b", days, "Where is the invoice?", days=days) for days in (1, 3)]
    said += [turn("a", 2, "How long is the trial?", days=3, tenant="other.example")]
    warehouse = stored(tmp_path, *said)
    run_due(warehouse)
    return warehouse


def run_due(warehouse: Warehouse) -> None:
    """Run what a night sees of its day and that it was finished, of every night that is due."""
    for day in days_to_run(warehouse, DAY, LAST):
        draw(warehouse, day, LexicalJudge(), PLAN)
        finish(warehouse, day)


def arrive(warehouse: Warehouse, *late: bytes) -> list[int]:
    """Ingest what came late; return which days are due, counted from the first."""
    ingest(Records(late, partition=str(late)), warehouse, now=lambda: MORNING)
    return [(day - DAY).days for day in days_to_run(warehouse, DAY, LAST)]


def test_days_on_which_the_conversation_went_on_within_a_week_are_due(warehouse: Warehouse) -> None:
    """Not the days of other conversations in between, of other tenants, or beyond what a night looks back."""
    assert days_to_run(warehouse, DAY, LAST) == []

    assert arrive(warehouse, turn("a", 1, "Yes, that one.", days=0)) == [0, 2, 7]


def test_once_they_were_run_again_all_is_up_to_date(warehouse: Warehouse) -> None:
    """A night that saw the late turn is not asked for again, and one that was not reached never is."""
    arrive(warehouse, turn("a", 1, "Yes, that one.", days=0))
    run_due(warehouse)

    assert days_to_run(warehouse, DAY, LAST) == []


def test_what_concerns_no_other_day_opens_its_own_alone(warehouse: Warehouse) -> None:
    """A turn of another environment, a new conversation, and the last turn of one."""
    assert arrive(warehouse, turn("a", 1, "Yes, that one.", days=0, environment="staging")) == [0]
    assert arrive(warehouse, turn("c", 0, "Is there an export?", days=1)) == [0, 1]
    assert arrive(warehouse, turn("a", 10, "Thanks, and the other?", days=9)) == [0, 1, 9]
