"""Batches: answers at a lower price, found again after a kill, never paid for twice, and live calls for the rest."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipelines.io.judge_files import BatchJournal
from pipelines.judging.batch import Batches
from pipelines.judging.budget import Ceiling, Price
from pipelines.judging.verdict import RetrievalToJudge, RetrievalVerdict, Status
from schemas.chat import BatchRecord
from tests.judging.build import Clock, a_judge, a_manner, a_retrieval, judged
from tests.judging.scripted_endpoint import Call, Failed, Reply, Said, Script, ScriptedBatches, well

NOW = datetime(2026, 11, 30, 2, tzinfo=UTC)
PRICE = Price(input=2.0, output=8.0, batch_share=0.5)
#: 1,000 tokens in and 100 out
LIVE, BATCHED = 0.0028, 0.0014


@contextmanager
def batching(script: Script = well, **rest: Any) -> Iterator[ScriptedBatches]:
    """Run an endpoint with batches."""
    endpoint = ScriptedBatches(script, **rest)
    try:
        yield endpoint
    finally:
        endpoint.close()


def retrievals(count: int = 6) -> list[RetrievalToJudge]:
    """Return some retrievals, each of one passage that answers and one that does not."""
    return [
        a_retrieval(f"The plan number {n}.", f"Bread number {n}.", query=f"plan {n}?", retrieval_id=f"r-{n}")
        for n in range(count)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a night in batches gave, and what it cost."""

    verdicts: dict[str, RetrievalVerdict]
    spent: float


def by_batch(endpoint: ScriptedBatches, home: Path, asked: list[RetrievalToJudge], **rest: Any) -> Done:
    """Judge in batches, with notes under a folder; every retrieval must get the grades that a live call gives."""
    judge = a_judge(
        endpoint.base_url,
        manner=a_manner(price=PRICE, output_limit=100),
        batches=Batches(journal=BatchJournal(home), now=lambda: NOW, patience=3_600, **rest),
    )
    verdicts = judged(judge, asked)
    for verdict in verdicts.values():
        assert [p.query_grade for p in verdict.passages] == [3, 0]
    return Done(verdicts=verdicts, spent=judge.budget.spent)


def test_a_night_in_a_batch_costs_half_and_makes_no_live_call(tmp_path: Path) -> None:
    """All answers come from one batch, at the batch's price, with the verdicts that live calls would give."""
    with batching() as endpoint:
        done = by_batch(endpoint, tmp_path, retrievals())

        assert (len(endpoint.batches), len(endpoint.batched), len(endpoint.calls)) == (1, 6, 0)
    assert done.spent == pytest.approx(6 * BATCHED)
    assert {"in a batch" in (verdict.detail or "") for verdict in done.verdicts.values()} == {True}


def test_a_second_run_takes_the_answers_that_are_there(tmp_path: Path) -> None:
    """The same night again, and a night with more in it, submit only what no batch holds."""
    with batching() as endpoint:
        by_batch(endpoint, tmp_path, retrievals(6))
        by_batch(endpoint, tmp_path, retrievals(6))
        by_batch(endpoint, tmp_path, retrievals(8))

        assert len(endpoint.batches) == 2
        assert len(endpoint.batched) == len(set(endpoint.batched)) == 8
        assert endpoint.calls == []


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("where", ["before it is handed in", "after it is handed in", "while it runs"])
def test_a_kill_at_any_point_pays_nothing_twice(tmp_path: Path, where: str) -> None:
    """Whatever was noted when the process died, the next run finds the batch and asks for nothing that is in one."""
    journal = BatchJournal(tmp_path)

    class Dying(BatchJournal):
        def write(self, record: BatchRecord) -> None:
            if where == "before it is handed in" and record.batch_id is None:
                super().write(record)
                raise Killed
            if where == "after it is handed in" and record.batch_id is not None:
                raise Killed
            super().write(record)

    clock = Clock()

    async def sleep(seconds: float) -> None:
        if where == "while it runs":
            raise Killed
        await clock.sleep(seconds)

    with batching() as endpoint:
        judge = a_judge(
            endpoint.base_url,
            manner=a_manner(price=PRICE, output_limit=100),
            batches=Batches(journal=Dying(tmp_path), now=lambda: NOW, patience=3_600),
        )
        judge._sleep = sleep
        with pytest.raises(Killed):
            judged(judge, retrievals())
        assert len(journal.records()) == 1
        by_batch(endpoint, tmp_path, retrievals())

        assert len(endpoint.batches) == 1
        assert len(endpoint.batched) == 6
        assert endpoint.calls == []


def test_a_batch_whose_submission_seemed_to_fail_is_found(tmp_path: Path) -> None:
    """The answer to the submission was lost: the batch is found by its tag, not handed in again."""
    with batching() as endpoint:
        endpoint.drop_answer_to_submission = True
        by_batch(endpoint, tmp_path, retrievals())

        assert (len(endpoint.batches), len(endpoint.batched), len(endpoint.calls)) == (1, 6, 0)


@pytest.mark.parametrize("ends", ["expired", "cancelled", "completed"])
def test_what_a_batch_did_not_answer_is_asked_live(tmp_path: Path, ends: str) -> None:
    """An expired or cancelled batch keeps its answers; the others are live calls at the live price."""
    with batching(ends=ends, answer=lambda number: number % 2 == 0) as endpoint:
        done = by_batch(endpoint, tmp_path, retrievals())

        assert (len(endpoint.batched), len(endpoint.calls)) == (3, 3)
    assert done.spent == pytest.approx(3 * BATCHED + 3 * LIVE)


def test_calls_that_failed_in_a_batch_are_asked_live(tmp_path: Path) -> None:
    """An error inside a finished batch is no verdict."""
    live: list[Call] = []

    def script(call: Call) -> Reply:
        return Failed(status=500) if call.number % 3 == 0 and not live else well(call)

    with batching(script) as endpoint:
        endpoint.calls = live
        by_batch(endpoint, tmp_path, retrievals())

        assert (len(endpoint.batched), len(live)) == (4, 2)


def test_a_failed_batch_is_forgotten_and_all_is_asked_live(tmp_path: Path) -> None:
    """A batch without any answer does not stand in the way of another one later."""
    with batching(ends="failed", answer=lambda _: False) as endpoint:
        by_batch(endpoint, tmp_path, retrievals())

        assert (len(endpoint.batched), len(endpoint.calls)) == (0, 6)
    assert BatchJournal(tmp_path).records() == []


def test_an_endpoint_that_refuses_batches_is_asked_live(tmp_path: Path) -> None:
    """No batch, no note, the same verdicts."""
    with batching() as endpoint:
        endpoint.refuse_submission = True
        by_batch(endpoint, tmp_path, retrievals())

        assert (len(endpoint.batches), len(endpoint.calls)) == (0, 6)
    assert BatchJournal(tmp_path).records() == []


def test_a_batch_that_takes_too_long_is_cancelled_before_the_rest_is_asked_live(tmp_path: Path) -> None:
    """When patience ends the batch is stopped, so that nothing in it is answered and paid for after all."""
    with batching(ends="never", answer=lambda number: number < 2) as endpoint:
        by_batch(endpoint, tmp_path, retrievals())

        assert [batch["status"] for batch in endpoint.batches.values()] == ["cancelled"]
        assert (len(endpoint.batched), len(endpoint.calls)) == (2, 4)


def test_few_calls_are_not_worth_a_batch(tmp_path: Path) -> None:
    """In mode auto a small night is asked live."""
    with batching() as endpoint:
        by_batch(endpoint, tmp_path, retrievals(3), from_calls=4)

        assert (len(endpoint.batches), len(endpoint.calls)) == (0, 3)


def test_a_second_try_after_a_batch_is_live(tmp_path: Path) -> None:
    """A malformed answer in a batch is asked about again at once."""

    def odd(call: Call) -> Reply:
        return Said(text="no") if len(call.body["messages"]) == 2 and call.number == 1 else well(call)

    with batching(odd) as endpoint:
        done = by_batch(endpoint, tmp_path, retrievals(1))

        assert (len(endpoint.batched), len(endpoint.calls)) == (1, 1)
    assert done.verdicts["r-0"].usage.calls == 2


def test_the_budget_holds_in_batches(tmp_path: Path) -> None:
    """What cannot be reserved at the batch's price is not handed in, and the night's limit is not passed."""
    with batching() as endpoint:
        judge = a_judge(
            endpoint.base_url,
            manner=a_manner(price=PRICE, output_limit=100),
            ceiling=Ceiling(night=0.05),
            batches=Batches(journal=BatchJournal(tmp_path), now=lambda: NOW, patience=3_600),
        )
        found = judged(judge, retrievals(40))

        assert 0 < len(endpoint.batched) < 40
    statuses = [verdict.status for verdict in found.values()]
    assert statuses.count(Status.OVER_BUDGET) + statuses.count(Status.JUDGED) == 40
    assert judge.budget.spent <= 0.05


def test_a_tenants_limit_in_a_batch_pays_for_nothing_that_is_thrown_away(tmp_path: Path) -> None:
    """A long retrieval stops all of its tenant's behind it; what was handed in is judged, and its cost is in a verdict."""
    asked = retrievals(6)
    asked[2] = a_retrieval("The plan. " * 700, "The bread. " * 700, query="plan 2?", retrieval_id="r-2")
    other = a_retrieval("The plan.", retrieval_id="r-other", tenant="other.example.com")
    with batching() as endpoint:
        judge = a_judge(
            endpoint.base_url,
            manner=a_manner(price=PRICE, output_limit=100),
            ceiling=Ceiling(tenant=0.03),
            batches=Batches(journal=BatchJournal(tmp_path), now=lambda: NOW, patience=3_600),
        )
        found = judged(judge, [*asked, other])

        assert (len(endpoint.batched), len(endpoint.calls)) == (3, 0)
    over = [one for one, verdict in found.items() if verdict.status is Status.OVER_BUDGET]
    assert sorted(over) == ["r-2", "r-3", "r-4", "r-5"]
    assert judge.budget.spent == pytest.approx(sum(verdict.usage.cost for verdict in found.values()))
    assert judge.budget.spent == pytest.approx(3 * BATCHED)


@pytest.mark.parametrize("limit", ["night", "tenant"])
def test_what_a_batch_answered_is_judged_behind_a_retrieval_that_has_to_stop(tmp_path: Path, limit: str) -> None:
    """The first call expired and is too dear live; answers that are paid for count all the same."""
    long = a_retrieval("The plan. " * 700, "The bread. " * 700, query="plan?", retrieval_id="long")
    with batching(ends="expired", answer=lambda number: number > 0) as endpoint:
        judge = a_judge(
            endpoint.base_url,
            manner=a_manner(price=PRICE, output_limit=100),
            ceiling=Ceiling(**{limit: 0.045}),
            batches=Batches(journal=BatchJournal(tmp_path), now=lambda: NOW, patience=3_600),
        )
        found = judged(judge, [long, *retrievals(2)])

        assert (len(endpoint.batched), len(endpoint.calls)) == (2, 0)
    assert [found[one].status for one in ("long", "r-0", "r-1")] == [Status.OVER_BUDGET, Status.JUDGED, Status.JUDGED]
    assert judge.budget.spent == pytest.approx(sum(verdict.usage.cost for verdict in found.values()))
    assert judge.budget.spent == pytest.approx(2 * BATCHED)


def test_old_notes_are_forgotten(tmp_path: Path) -> None:
    """The provider keeps answers for a month; a note that is older names nothing any more."""
    journal = BatchJournal(tmp_path)
    old = (NOW - timedelta(days=40)).isoformat()
    journal.write(BatchRecord(tag="t", call_ids=("c",), submitted_at=old, batch_id="b-9"))

    with batching() as endpoint:
        by_batch(endpoint, tmp_path, retrievals(1))

    assert [record.tag for record in journal.records()] != ["t"]
    assert len(journal.records()) == 1


def test_notes_survive_as_they_were_written(tmp_path: Path) -> None:
    """A note is read back as it was, and replaced as a whole."""
    journal = BatchJournal(tmp_path)
    record = BatchRecord(tag="t", call_ids=("a", "b"), submitted_at=NOW.isoformat())

    journal.write(record)

    assert journal.records() == [record]
