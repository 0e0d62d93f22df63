"""A visitor who is erased while a judge has the visitor's retrieval in hand does not come back with its verdict."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipelines.io.judge_files import AnswerJournal
from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.line import read_anchors
from pipelines.judging.anchors.run import import_anchors, judge_anchors
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.pace import Limits
from pipelines.judging.run import judge_sample
from pipelines.night.run import Plan, draw
from pipelines.privacy.run import Erasure, Place, erase
from tests.judging.build import a_judge
from tests.judging.nights import DAYS, RETRIEVALS, TENANT, ingest
from tests.judging.scripted_endpoint import Call, Reply, scripted, well
from tests.judging.test_anchors import an_anchor

NOW = datetime(2026, 11, 30, tzinfo=UTC)
#: the visitor, and what only this visitor's passages, and the answers about them, say
GONE, SAID = "v-0-7", "plan 0-7"
PLAN = Plan(environments=("production", "staging"), seed="s", cap=None)


class Erasing:
    """A script that answers well, and erases the visitor while it has the call that `at` tells."""

    def __init__(self, home: Path, at: Callable[[Call], bool]) -> None:
        self.home = home
        self.at = at
        self.reports: list[Erasure] = []

    def __call__(self, call: Call) -> Reply:
        """Answer; what was ingested from goes as well, as whoever erases has to see to."""
        if self.at(call) and not self.reports:
            (self.home / "events.jsonl").unlink()
            place = Place(
                searched=(self.home,),
                published=self.home / "published",
                spool=self.home / "spool",
                datasets=(self.home / "datasets",),
                answers=self.home,
            )
            erase_from = partial(erase, Warehouse(self.home / "warehouse.duckdb"), TENANT, GONE, place=place)
            self.reports.append(erase_from(at=NOW, salt="a salt", key=b"a key", publish=lambda: None))
        return well(call)


def about_the_visitor(call: Call) -> bool:
    """Whether a call is about what the visitor searched."""
    return "0-7?" in call.document["searched_query"]


def one_by_one(base_url: str, home: Path) -> OpenAIJudge:
    """Return a judge that makes one call after the other, and keeps answers as the real one does."""
    return a_judge(base_url, limits=Limits(most_at_once=1), answers_of=partial(AnswerJournal, home))


def stored(warehouse: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return what a query says."""
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()


def files_that_tell(home: Path) -> list[Path]:
    """Return the files in which something of the visitor stands."""
    return [path for path in home.rglob("*") if path.is_file() and SAID.encode() in path.read_bytes()]


@pytest.mark.parametrize("at", [about_the_visitor, lambda call: call.number == RETRIEVALS])
def test_a_night_brings_no_erased_visitor_back(tmp_path: Path, at: Callable[[Call], bool]) -> None:
    """Erased during the call, or later: when the night has ended there is no row and no byte, and no row hangs loose."""
    warehouse = ingest(tmp_path, 0)
    erasing = Erasing(tmp_path, at)
    with scripted(erasing) as endpoint:
        judge = one_by_one(endpoint.base_url, tmp_path)
        draw(warehouse, DAYS[0], judge, PLAN)
        judge_sample(warehouse, DAYS[0], judge, now=lambda: NOW)

        assert sum(map(about_the_visitor, endpoint.calls)) == 1
    assert [report.leftovers for report in erasing.reports] == [()]
    assert stored(warehouse, "select status, count(*) from night.verdicts group by all") == [("judged", RETRIEVALS - 1)]
    passages = "select count(*), count(is_final) from night.passage_verdicts left join night.verdicts using (tenant, verdict_key)"
    assert stored(warehouse, passages) == [(3 * (RETRIEVALS - 1),) * 2]
    assert files_that_tell(tmp_path) == []


def test_a_night_that_dies_after_an_erasure_has_kept_nothing_of_it(tmp_path: Path) -> None:
    """An answer that comes after the erasure is in no file, although the night came to store nothing any more."""
    warehouse = ingest(tmp_path, 0)
    erasing = Erasing(tmp_path, about_the_visitor)

    class DiedError(Exception):
        pass

    def clock() -> datetime:
        if erasing.reports:
            raise DiedError
        return NOW

    with scripted(erasing) as endpoint:
        judge = one_by_one(endpoint.base_url, tmp_path)
        draw(warehouse, DAYS[0], judge, PLAN)
        with pytest.raises(DiedError):
            judge_sample(warehouse, DAYS[0], judge, now=clock)

    assert [report.leftovers for report in erasing.reports] == [()]
    assert files_that_tell(tmp_path) == []


def test_the_next_environment_asks_about_no_erased_visitor(tmp_path: Path) -> None:
    """Erased in the first environment's pass: the second one's retrieval, of other content, is not asked about."""
    ingest(tmp_path, 0)
    warehouse = ingest(tmp_path, 0, environment="staging", useful=1)
    erasing = Erasing(tmp_path, lambda call: call.number == 1)
    with scripted(erasing) as endpoint:
        judge = one_by_one(endpoint.base_url, tmp_path)
        draw(warehouse, DAYS[0], judge, PLAN)
        judged = judge_sample(warehouse, DAYS[0], judge, now=lambda: NOW)

        assert len(endpoint.calls) == 2 * RETRIEVALS - 1
    assert (judged.known, judged.asked) == (0, 2 * RETRIEVALS - 1)
    assert files_that_tell(tmp_path) == []


def test_a_frozen_retrieval_that_is_taken_out_meanwhile_has_no_verdict(tmp_path: Path) -> None:
    """One of the visitor's goes with the visitor, and so does the answer that comes later."""
    warehouse = ingest(tmp_path, 0)
    frozen = [an_anchor(1), an_anchor(2, tenant=TENANT, retrieval_id="r-0-7")]
    import_anchors(warehouse, read_anchors(frozen, "anchors"), NOW)
    erasing = Erasing(tmp_path, lambda call: call.number == 1)
    with scripted(erasing) as endpoint:
        judge = one_by_one(endpoint.base_url, tmp_path)
        draw(warehouse, DAYS[0], judge, PLAN)
        judge_anchors(warehouse, DAYS[0], judge, now=lambda: NOW)

    assert [report.leftovers for report in erasing.reports] == [()]
    assert stored(warehouse, "select distinct retrieval_id from night.anchor_verdicts") == [("a-1",)]
