"""Retrievals that take several calls: one verdict, whose parts do not contradict each other."""

import json

import pytest

from pipelines.judging.parts import MOST_PASSAGES
from pipelines.judging.verdict import RetrievalVerdict, Status
from tests.judging.build import a_judge, a_retrieval, judged
from tests.judging.scripted_endpoint import Call, Failed, Reply, Said, scripted, verdict, well


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


@pytest.mark.parametrize("first_passages", [["The plan."] * MOST_PASSAGES, [""], [None]])
def test_what_may_still_be_answered_is_asked_again(first_passages: list[str | None]) -> None:
    """A call that could not be made leaves the retrieval open, also where other passages have grades or no text."""

    def script(call: Call) -> Reply:
        return well(call) if len(call.passages) == MOST_PASSAGES else Failed(status=400)

    with scripted(script) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(*first_passages, "The plan again.")])["r-1"]

    assert (found.status, found.status.final) == (Status.UNAVAILABLE, False)
    assert found.passages[0].status is not Status.UNAVAILABLE
    assert found.passages[-1].status is Status.UNAVAILABLE


def test_what_will_never_be_answered_leaves_nothing_open() -> None:
    """A call that was refused is an end; the other passages' grades make the retrieval a judged one."""

    def script(call: Call) -> Reply:
        return well(call) if len(call.passages) == MOST_PASSAGES else Said(text="", refusal="No.")

    with scripted(script) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(*["The plan."] * MOST_PASSAGES, "Bread.")])["r-1"]

    assert found.status is Status.JUDGED
    assert found.passages[-1].status is Status.REFUSED
