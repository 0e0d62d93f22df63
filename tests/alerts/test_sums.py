"""The charts read sums of each night that are stored once; they say what samples and verdicts say."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipelines.alerts.night import Night, Row, night_of
from pipelines.alerts.run import find
from pipelines.alerts.slices import Leaf
from pipelines.io.warehouse import Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.run import judge_sample
from pipelines.marts.run import finish
from pipelines.privacy.run import Place, erase
from schemas import sql
from tests.alerts.build import COMBINED, DOCUMENTS, OTHERS, a_night, day, nights
from tests.alerts.stored import store

RATES = {DOCUMENTS: 0.3, COMBINED: 0.35, OTHERS: 0.3}
#: straight from samples and verdicts, of all nights that there are
_DIRECT = """
with graded as (
  select sample.*, returned.kind as passage_kind, graded.need_grade = 0 as irrelevant, graded.query_grade = 0 as misses
  from night.sample as sample
  join night.verdicts as verdict using (tenant, verdict_key)
  join night.passage_verdicts as graded using (tenant, verdict_key)
  join canonical.passages as returned on (returned.day, returned.tenant, returned.event_id, returned.ordinal)
    = (sample.day, sample.tenant, sample.event_id, graded.ordinal)
  where graded.status = 'judged' and verdict.needs_retrieval is distinct from false
),
parts as (
  from graded union all by name
  select * replace ('mixed:' || passage_kind as kind) from graded where kind = 'mixed'
),
retrieval as (
  select day, environment, tenant, kind, position, retrieval_id, count(*) as judged, count_if(irrelevant) as irrelevant,
    count_if(irrelevant and not misses) as query_faults, count_if(irrelevant and misses) as retriever_faults
  from parts group by all
)
select day, environment, tenant, kind, position, judged, irrelevant, count(*), sum(query_faults)::bigint,
  sum(retriever_faults)::bigint
from retrieval group by all order by all
"""
_COMPLETE = """
select day, environment, bool_and(coalesce(verdict.is_final, false)) as complete
from night.sample left join night.verdicts as verdict using (tenant, verdict_key)
group by all order by environment, day
"""


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return an empty warehouse."""
    return Warehouse(tmp_path / "warehouse.duckdb")


def history() -> list[Night]:
    """Return five nights of three leaves, and one of mixed retrievals."""
    rng = np.random.default_rng(5)
    mixed = [Row(leaf=Leaf("acme.example", "mixed", "first"), judged=5, irrelevant=y, count=3) for y in (0, 2, 4)]
    return [*nights(range(5), RATES, rng, retrievals=6), night_of(day(5), mixed)]


def read(warehouse: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return what a query says."""
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()


def write(warehouse: Warehouse, statement: str, **parameters: object) -> None:
    """Change something that is stored."""
    with warehouse.write() as connection:
        connection.execute(statement, parameters)


def assert_as_direct(warehouse: Warehouse) -> None:
    """The charts read exactly what samples and verdicts say."""
    summed = read(warehouse, sql.load("alerts/judged_rows.sql"))
    complete = [(at, where, whole) for at, where, _, whole in read(warehouse, sql.load("alerts/judged_nights.sql"))]
    assert summed == read(warehouse, _DIRECT)
    assert complete == read(warehouse, _COMPLETE)


def test_sums_are_what_samples_and_verdicts_say(warehouse: Warehouse) -> None:
    """At once, night by night, and after an old night was made again."""
    store(warehouse, history()[:4])
    find(warehouse)
    assert_as_direct(warehouse)

    store(warehouse, history()[4:])
    find(warehouse)
    assert_as_direct(warehouse)

    store(warehouse, [a_night(2, dict.fromkeys(RATES, 0.8), np.random.default_rng(6), retrievals=6)])
    find(warehouse)
    assert_as_direct(warehouse)


def test_a_night_that_is_published_again_is_summed_again(warehouse: Warehouse) -> None:
    """What changed before its marts were made is in its sums; no other night is read for it."""
    store(warehouse, history())
    find(warehouse)
    write(warehouse, "delete from night.sample where day = $day and retrieval_id like '% 1%'", day=day(2))

    finish(warehouse, day(2))
    find(warehouse)

    assert_as_direct(warehouse)


def test_verdicts_that_come_late_are_counted(warehouse: Warehouse) -> None:
    """A night without all its verdicts is read again until it has them, whichever night asked for them."""
    store(warehouse, history(), unjudged=2)
    find(warehouse)
    assert_as_direct(warehouse)
    write(warehouse, "update night.verdicts set is_final = true")
    write(warehouse, "update night.passage_verdicts set need_grade = 0 where ordinal = 2")

    find(warehouse)

    assert_as_direct(warehouse)


def test_a_night_judged_by_another_judge_is_summed_again(warehouse: Warehouse) -> None:
    """Its drawn retrievals point to other verdicts from then on."""
    store(warehouse, history())
    find(warehouse)

    judge_sample(warehouse, day(3), LexicalJudge(), now=lambda: datetime(2026, 12, 1, tzinfo=UTC))
    write(warehouse, "update night.sample set verdict_key = null where day = $day", day=day(3))
    find(warehouse)

    assert_as_direct(warehouse)


def test_what_was_erased_is_in_no_sum(warehouse: Warehouse, tmp_path: Path) -> None:
    """The drawn retrievals of an erased visitor leave the charts with the next night."""
    store(warehouse, history())
    write(warehouse, "update night.sample set visitor_id = if(retrieval_id like '% 1%', 'v-gone', 'v-stays')")
    find(warehouse)
    place = Place(searched=(), published=tmp_path / "published", spool=tmp_path / "spool", datasets=())

    erase(
        warehouse,
        "acme.example",
        "v-gone",
        at=datetime(2026, 12, 1, tzinfo=UTC),
        salt="salt",
        key=b"key",
        place=place,
        publish=lambda: None,
    )
    find(warehouse)

    assert read(
        warehouse, "select count(*) from night.sample where visitor_id = 'v-gone' and tenant = 'acme.example'"
    ) == [(0,)]
    assert_as_direct(warehouse)


def test_a_summed_night_is_not_read_again(warehouse: Warehouse) -> None:
    """Samples and verdicts of a night that is complete could be gone: its charts stay."""
    store(warehouse, history())
    find(warehouse)
    before = read(warehouse, sql.load("alerts/judged_rows.sql"))
    write(warehouse, "delete from night.sample where day < $day", day=day(5))

    find(warehouse)

    assert read(warehouse, sql.load("alerts/judged_rows.sql")) == before
