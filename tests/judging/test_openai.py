"""The judge that asks a language model, through the real client, against an endpoint that follows a script."""

import json

import pytest

from pipelines.judging.asking import TRIES, EndpointRefusesError
from pipelines.judging.pace import Limits
from pipelines.judging.verdict import Status
from tests.judging.build import Clock, a_judge, a_retrieval, judged
from tests.judging.scripted_endpoint import (
    Call,
    Cut,
    Failed,
    Garbage,
    Hang,
    Reply,
    Said,
    first,
    scripted,
    verdict,
    well,
)

SSO = "Single sign-on comes with the Team plan."
BREAD = "Knead the dough for ten minutes."


def test_a_good_answer_becomes_grades_in_rank_order() -> None:
    """Grades go to the passages that the opaque ids stood for, whatever order they were sent in."""
    with scripted(well) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(BREAD, SSO, BREAD + " Again.")])["r-1"]

    assert [p.query_grade for p in found.passages] == [0, 3, 0]
    assert [p.rank for p in found.passages] == [1, 2, 3]
    assert found.passages[1].evidence == "Single sign-on comes with the Team"
    assert (found.status, found.needs_retrieval, found.sufficient) == (Status.JUDGED, True, False)
    assert (found.usage.calls, found.usage.prompt_tokens, found.response_model) == (1, 1_000, "judge-2026-01-01")
    assert found.detail == "asked as json_schema; fingerprint f-1"


@pytest.mark.parametrize(
    ("reply", "status", "calls"),
    [
        (Said(text="", finish_reason="length"), Status.TRUNCATED, 1),
        (Said(text='{"need": "half a', finish_reason="length"), Status.TRUNCATED, 1),
        (Said(text="", refusal="I would rather not."), Status.REFUSED, 1),
        (Said(text="", finish_reason="content_filter"), Status.REFUSED, 1),
        (Failed(status=400, code="content_filter"), Status.REFUSED, 1),
        (Failed(status=429), Status.RATE_LIMITED, TRIES),
        (Failed(status=429, headers={"retry-after": "3"}), Status.RATE_LIMITED, TRIES),
        (Failed(status=429, headers={"retry-after": "3600"}), Status.RATE_LIMITED, 1),
        (Failed(status=500), Status.UNAVAILABLE, TRIES),
        (Failed(status=503), Status.UNAVAILABLE, TRIES),
        (Failed(status=400, code="context_length_exceeded"), Status.UNAVAILABLE, 1),
        (Cut(), Status.UNAVAILABLE, TRIES),
        (Garbage(body=b"<html>busy</html>"), Status.UNAVAILABLE, TRIES),
        (Garbage(body=b'{"choices": []}'), Status.UNAVAILABLE, TRIES),
        (Said(text="I cannot grade 3 of these."), Status.MALFORMED, 2),
        (Said(text=""), Status.MALFORMED, 2),
    ],
)
def test_no_failure_becomes_a_grade(reply: Reply, status: Status, calls: int) -> None:
    """Each way to fail has its status, on retrieval and passages, and is tried again only where that may help."""
    with scripted(lambda _: reply) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(SSO, BREAD)])["r-1"]

        assert len(endpoint.calls) == calls
    assert found.status is status
    assert [(p.status, p.query_grade, p.need_grade) for p in found.passages] == [(status, None, None)] * 2


def test_an_endpoint_that_hangs_is_unavailable() -> None:
    """A call without an answer ends at its time-out and is tried again."""
    with scripted(first(Hang())) as endpoint:
        found = judged(a_judge(endpoint.base_url, timeout=1.5), [a_retrieval(SSO)])["r-1"]

        assert len(endpoint.calls) == 2
    assert found.status is Status.JUDGED


def test_a_dead_endpoint_is_unavailable() -> None:
    """Nobody listening is a status like any other."""
    with scripted(well) as endpoint:
        address = endpoint.base_url

    found = judged(a_judge(address), [a_retrieval(SSO)])["r-1"]

    assert found.status is Status.UNAVAILABLE


@pytest.mark.parametrize(
    "trouble", [Failed(status=429), Failed(status=500), Cut(), Said(text="no"), Said(text="{} {}")]
)
def test_one_failure_is_made_good(trouble: Reply) -> None:
    """After a single failure of a kind that may pass, the second try's verdict counts."""
    with scripted(first(trouble)) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(SSO, BREAD)])["r-1"]

    assert [p.query_grade for p in found.passages] == [3, 0]


def test_what_the_endpoint_asks_to_wait_is_waited() -> None:
    """`Retry-After` is honoured in seconds, milliseconds and as a date; without it waits grow, with jitter."""
    date = {"date": "Mon, 30 Nov 2026 06:00:00 GMT", "retry-after": "Mon, 30 Nov 2026 06:00:20 GMT"}
    replies = [
        Failed(status=429, headers={"retry-after": "7"}),
        Failed(status=429, headers={"retry-after-ms": "1500"}),
        Failed(status=503, headers=date),
        Failed(status=500),
    ]
    clock = Clock()
    with scripted(first(*replies)) as endpoint:
        judged(a_judge(endpoint.base_url, clock=clock), [a_retrieval(SSO)])

    seconds, milliseconds, until, backed_off = clock.slept
    assert 7 <= seconds < 8
    assert 1.5 <= milliseconds < 2.5
    assert 20 <= until < 22
    assert 2 <= backed_off <= 4


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_takes_no_call_stops_the_night(status: int) -> None:
    """A wrong key, address or model is said once, with what to do, instead of a night of failures."""
    with scripted(lambda _: Failed(status=status)) as endpoint, pytest.raises(EndpointRefusesError, match="API_KEY"):
        judged(a_judge(endpoint.base_url), [a_retrieval(SSO), a_retrieval(SSO, retrieval_id="r-2")])


def test_a_key_that_is_revoked_in_the_night_loses_no_verdict() -> None:
    """After a call that worked, a refusal is a status of its retrieval, to be tried again later."""
    script = lambda call: well(call) if call.number == 1 else Failed(status=401)  # noqa: E731
    with scripted(script) as endpoint:
        found = judged(
            a_judge(endpoint.base_url, limits=Limits(most_at_once=1)),
            [a_retrieval(SSO), a_retrieval(SSO + " Truly.", retrieval_id="r-2")],
        )

    assert sorted(v.status for v in found.values()) == [Status.JUDGED, Status.UNAVAILABLE]
    assert not Status.UNAVAILABLE.final


def test_evidence_that_is_not_in_the_passage_costs_that_passage_its_grade_only() -> None:
    """A useful grade on invented words is asked about again; then that passage is malformed, its neighbour judged."""

    def inventing(call: Call) -> Reply:
        answer = verdict(call.passages)
        for passage in answer["passages"]:
            if passage["query_grade"] >= 2:
                passage["evidence"] = "words that are nowhere"
        return Said(text=json.dumps(answer))

    with scripted(inventing) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(SSO, BREAD)])["r-1"]

        again = endpoint.calls[1].body["messages"][-1]["content"]
    assert [p.status for p in found.passages] == [Status.MALFORMED, Status.JUDGED]
    assert (found.passages[0].query_grade, found.passages[1].query_grade) == (None, 0)
    assert found.usage.calls == 2
    assert "evidence" in again


def test_what_has_nothing_to_judge_is_not_sent() -> None:
    """Empty and hidden passages keep their status; a retrieval of nothing else makes no call."""
    with scripted(well) as endpoint:
        found = judged(
            a_judge(endpoint.base_url),
            [a_retrieval("", None, SSO, "__REDACTED__"), a_retrieval(None, "", retrieval_id="r-2")],
        )

        assert [len(call.passages) for call in endpoint.calls] == [1]
    assert [p.status for p in found["r-1"].passages] == [Status.EMPTY, Status.REDACTED, Status.JUDGED, Status.REDACTED]
    assert found["r-2"].usage.calls == 0


def test_a_turn_that_needs_no_retrieval_is_a_class_of_its_own() -> None:
    """The item gets no grade, whatever the model wrote beside it."""
    with scripted(lambda call: Said(text=json.dumps(verdict(call.passages, needs_retrieval=False)))) as endpoint:
        found = judged(a_judge(endpoint.base_url), [a_retrieval(SSO, BREAD)])["r-1"]

    assert (found.status, found.needs_retrieval) == (Status.NOT_NEEDED, False)
    assert all(p.query_grade is None and p.need_grade is None for p in found.passages)


def test_many_retrievals_each_get_their_own_verdict() -> None:
    """Answers that arrive out of order and after retries are not mixed up."""
    retrievals = [
        a_retrieval(
            *([SSO, BREAD] if number % 2 else [BREAD, SSO]), query=f"question {number}", retrieval_id=f"r-{number}"
        )
        for number in range(60)
    ]
    script = first(Failed(status=429, headers={"retry-after": "0"}))
    with scripted(lambda call: script(call) if call.number % 7 == 0 else well(call)) as endpoint:
        found = judged(a_judge(endpoint.base_url), retrievals)

    for number in range(60):
        grades = [p.query_grade for p in found[f"r-{number}"].passages]
        assert grades == ([3, 0] if number % 2 else [0, 3])
