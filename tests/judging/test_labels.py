"""The judge that repeats what people said."""

import asyncio
import json
from typing import Any

import pytest

from pipelines.judging.labels import BadLabelsError, LabelsJudge
from pipelines.judging.verdict import RetrievalVerdict, Status
from tests.judging.build import a_retrieval


def a_label(passage_id: str, **votes: Any) -> bytes:
    """Return one line for a passage of the retrieval r-1."""
    line = {"tenant": "help.example.com", "retrieval_id": "r-1", "passage_id": passage_id, "votes": votes}
    return json.dumps(line).encode()


def looked_up(judge: LabelsJudge) -> RetrievalVerdict:
    """Return the verdict on a retrieval of four passages."""

    async def run() -> RetrievalVerdict:
        return await anext(judge.judge([a_retrieval("one", "two", "three", "four")]))

    return asyncio.run(run())


def test_votes_become_grades_only_where_all_agree() -> None:
    """All yes is 3, all no is 0, a split is disputed and no vote is unlabelled."""
    lines = [a_label("d-1", ann=True, bob=True), a_label("d-2", ann=False), a_label("d-3", ann=True, bob=False)]

    verdict = looked_up(LabelsJudge.from_lines(lines, "votes.jsonl"))

    assert [(p.status, p.query_grade, p.need_grade) for p in verdict.passages] == [
        (Status.JUDGED, 3, 3),
        (Status.JUDGED, 0, 0),
        (Status.DISPUTED, None, None),
        (Status.UNLABELLED, None, None),
    ]
    assert all(p.status.final for p in verdict.passages)


def test_votes_for_one_passage_on_several_lines_add_up() -> None:
    """A second voter on a line of their own can make a passage disputed."""
    lines = [a_label("d-1", ann=True), b"", a_label("d-1", bob=False)]

    verdict = looked_up(LabelsJudge.from_lines(lines, "votes.jsonl"))

    assert verdict.passages[0].status is Status.DISPUTED


def test_another_tenants_label_counts_nothing() -> None:
    """The tenant is part of the key."""
    foreign = a_label("d-1", ann=True).replace(b"help.example.com", b"shop.example.com")

    verdict = looked_up(LabelsJudge.from_lines([foreign], "votes.jsonl"))

    assert verdict.passages[0].status is Status.UNLABELLED


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b"\xff\xfe", b'{"tenant": "a"}', a_label("d-1", ann="yes"), a_label("d-1", ann=1)],
)
def test_a_line_that_is_no_label_is_named(line: bytes) -> None:
    """The error says which line of which file, and what a line must read like."""
    with pytest.raises(BadLabelsError, match=r"votes\.jsonl, line 2: .*votes") as caught:
        LabelsJudge.from_lines([a_label("d-1", ann=True), line], "votes.jsonl")

    assert caught.value.line == 2


def test_other_labels_are_another_judge() -> None:
    """Rates of two sets of labels are told apart by the identity on the verdicts."""
    one = LabelsJudge.from_lines([a_label("d-1", ann=True)], "a")
    other = LabelsJudge.from_lines([a_label("d-1", ann=False)], "a")

    assert one.identity != other.identity
