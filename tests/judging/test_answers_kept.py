"""Answers that were paid for and not stored: kept for the next run, for that one alone."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pipelines.io.judge_files import AnswerJournal, clear_answers
from pipelines.judging.budget import Ceiling, Price
from pipelines.judging.run import judge_sample
from pipelines.judging.verdict import RetrievalVerdict, Status
from pipelines.night.run import Plan, draw
from schemas.chat import Outcome, Reply, Tokens
from tests.judging.build import a_judge, a_manner, a_retrieval, judged
from tests.judging.nights import DAYS, ingest
from tests.judging.scripted_endpoint import Failed, first, scripted, well

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PRICE = Price(input=2.0, output=8.0)
CALL = 0.0028
RETRIEVALS = [a_retrieval(f"The plan {n}.", query=f"q {n}", retrieval_id=f"r-{n}") for n in range(4)]


def test_an_answer_is_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    """The second run, after one that stored nothing, makes no call, and knows what the first one paid."""
    with scripted(well) as endpoint:
        judge = a_judge(
            endpoint.base_url, manner=a_manner(price=PRICE), answers_of=partial(AnswerJournal, tmp_path)
        ).keeping("a")
        before = judged(judge, RETRIEVALS)
        again = judged(judge, RETRIEVALS)

        assert len(endpoint.calls) == 4
    assert again == before
    assert round(judge.budget.spent / CALL, 6) == 4
    assert {round(verdict.usage.cost / CALL, 6) for verdict in again.values()} == {1}


@pytest.mark.parametrize("limit", ["night", "tenant"])
def test_what_a_killed_run_has_paid_counts_from_the_beginning(tmp_path: Path, limit: str) -> None:
    """Calls that come before the kept ones leave room for what those have cost: both runs together keep to the limit."""
    asked = [a_retrieval(f"The plan {n}.", query=f"q {n}", retrieval_id=f"r-{n}") for n in range(40)]
    with scripted(well) as endpoint:

        def run(ceiling: Ceiling, *numbers: int) -> tuple[dict[str, RetrievalVerdict], float]:
            judge = a_judge(
                endpoint.base_url,
                manner=a_manner(price=PRICE, output_limit=100),
                ceiling=ceiling,
                answers_of=partial(AnswerJournal, tmp_path),
            ).keeping("a")
            return judged(judge, [asked[number] for number in numbers]), judge.budget.spent

        run(Ceiling(), *range(32, 40))
        found, spent = run(Ceiling(**{limit: 0.04}), *range(40))

        assert spent == pytest.approx(len(endpoint.calls) * CALL)
    assert len(endpoint.calls) > 8
    assert spent <= 0.04
    assert {found[f"r-{n}"].status for n in range(32, 40)} == {Status.JUDGED}


def test_what_is_to_be_judged_anew_is_not_answered_from_before(tmp_path: Path) -> None:
    """Drift and noise would find that nothing ever moves."""
    with scripted(well) as endpoint:
        judge = a_judge(endpoint.base_url, answers_of=partial(AnswerJournal, tmp_path)).keeping("a")
        judged(judge, RETRIEVALS)
        judged(judge.past_the_store(), RETRIEVALS)

        assert len(endpoint.calls) == 8


def test_what_is_stored_is_forgotten(tmp_path: Path) -> None:
    """They quote what was judged."""
    with scripted(well) as endpoint:
        judge = a_judge(endpoint.base_url, answers_of=partial(AnswerJournal, tmp_path)).keeping("a")
        judged(judge, RETRIEVALS)
        judge.forget_answers()

    assert list(tmp_path.rglob("*.jsonl")) == []


def test_what_was_not_paid_for_is_not_kept(tmp_path: Path) -> None:
    """An error is asked about again."""
    with scripted(first(Failed(status=400))) as endpoint:
        judge = a_judge(endpoint.base_url, answers_of=partial(AnswerJournal, tmp_path)).keeping("a")
        judged(judge, RETRIEVALS)

    assert AnswerJournal(tmp_path, "a").kept() == {}


def test_a_line_that_a_crash_cut_off_hides_no_other(tmp_path: Path) -> None:
    """The answers before it and after it count."""
    journal = AnswerJournal(tmp_path, "a")
    journal.begin()
    reply = Reply(outcome=Outcome.ANSWERED, text="{}", tokens=Tokens(prompt=3, completion=1))
    journal.keep("a", reply)
    with (tmp_path / "judge" / "answers" / "a.jsonl").open("ab") as file:
        file.write(b'["b", {"outcome": "answ')
    journal.keep("c", reply)

    assert journal.kept() == {"a": reply, "c": reply}


def test_a_night_that_ends_takes_nothing_from_one_that_does_not(tmp_path: Path) -> None:
    """The answers of a killed night are there when another night, by the same judge, has been stored."""
    with scripted(well) as endpoint:
        judge = a_judge(endpoint.base_url, answers_of=partial(AnswerJournal, tmp_path))
        warehouse = ingest(tmp_path, 0, 1)
        judged(judge.keeping(DAYS[0].isoformat()), RETRIEVALS)

        draw(warehouse, DAYS[1], judge, Plan(environments=("production",), seed="s", cap=None))
        judge_sample(warehouse, DAYS[1], judge, now=lambda: NOW)

    assert len(AnswerJournal(tmp_path, DAYS[0].isoformat()).kept()) == len(RETRIEVALS)
    assert AnswerJournal(tmp_path, DAYS[1].isoformat()).kept() == {}


def test_what_is_cleared_stays_cleared_for_who_works_on(tmp_path: Path) -> None:
    """A night that runs while a visitor is erased keeps no more answers; the next one does."""
    reply = Reply(outcome=Outcome.ANSWERED, text="{}", tokens=Tokens(prompt=3, completion=1))
    journals = [AnswerJournal(tmp_path, work) for work in ("a", "b")]
    for journal in journals:
        journal.begin()
        journal.keep("1", reply)

    clear_answers(tmp_path)
    for journal in journals:
        journal.keep("2", reply)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    journals[0].begin()
    journals[0].keep("3", reply)
    assert journals[0].kept() == {"3": reply}
