"""Retrievals that take several calls: one verdict, whose parts do not contradict each other."""

import json

import pytest

from pipelines.judging.parts import MOST_PASSAGES
from pipelines.judging.verdict import RetrievalVerdict, Status
from tests.judging.build import a_judge, a_retrieval, judged
from tests.judging.scripted_endpoint import Call, Reply, Said, scripted, verdict


def in_two_calls(*, first_needs: bool, second_needs: bool) -> RetrievalVerdict:
    """Return the verdict on twelve passages, asked about in two calls that need retrieval or say that nothing is."""

    def script(call: Call) -> Reply:
        needs = first_needs if len(call.passages) == MOST_PASSAGES else second_needs
        return Said(text=json.dumps(verdict(call.passages, needs_retrieval=needs) | {"need": f"needed: {needs}"}))

    texts = [f"The plan {n}." for n in range(MOST_PASSAGES)] + ["The plan again.", "Bread."]
    with scripted(script) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(*texts)])["r-1"]

        assert len(endpoint.calls) == 2
    return found


@pytest.mark.parametrize(("first_needs", "second_needs"), [(True, False), (False, True), (True, True)])
def test_one_call_that_says_retrieval_is_needed_decides_for_all(*, first_needs: bool, second_needs: bool) -> None:
    """Every passage keeps the grade that its own call gave, and the need is that of a call which found one."""
    found = in_two_calls(first_needs=first_needs, second_needs=second_needs)

    assert (found.needs_retrieval, found.status, found.need) == (True, Status.JUDGED, "needed: True")
    assert {passage.status for passage in found.passages} == {Status.JUDGED}
    assert [passage.query_grade for passage in found.passages] == [3] * 11 + [0]


def test_calls_that_agree_that_nothing_is_needed_give_no_grade() -> None:
    """The whole retrieval is in the class of its own."""
    found = in_two_calls(first_needs=False, second_needs=False)

    assert (found.needs_retrieval, found.status) == (False, Status.NOT_NEEDED)
    assert {passage.status for passage in found.passages} == {Status.NOT_NEEDED}
