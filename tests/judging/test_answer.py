"""Reading what a model answered: exactly one verdict on exactly the passages asked about, or none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.judging.answer import Answer, Graded, Malformed, read_answer, unfounded

ASKED = ("p1", "p2")


def graded(passage_id: str, query_grade: Any = 1, need_grade: Any = 0, evidence: Any = "") -> dict[str, Any]:
    """Return what a model says of one passage."""
    return {"id": passage_id, "evidence": evidence, "query_grade": query_grade, "need_grade": need_grade}


def an_answer(*passages: dict[str, Any], **other: Any) -> str:
    """Return a verdict as JSON."""
    shape = {"need": "n", "needs_retrieval": True, "passages": list(passages), "sufficient": False}
    return json.dumps(shape | other)


GOOD = an_answer(graded("p1"), graded("p2", 3, 2, "words"))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Here is my verdict:\n```json\n{GOOD}\n```\nI hope it helps.",
        f"<think>Is p1 {{maybe}} a 2?</think>\n{GOOD}",
        "\ufeff" + GOOD + "\n\n",
        an_answer(graded("p2", 3, 2, "words"), graded("p1")),
        an_answer(graded("p1") | {"why": "no"}, graded("p2"), comment="extra fields are passed over"),
    ],
)
def test_one_verdict_is_read_whatever_stands_around_it(text: str) -> None:
    """Prose, a code fence, a block of thoughts, and fields that nobody asked for do not matter."""
    assert isinstance(read_answer(text, ASKED), Answer)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object"),
        ("I would give them a 3 and a 0.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        (GOOD[:-1], "broken"),
        (GOOD + GOOD, "more than one"),
        (GOOD + "\nOr rather: " + GOOD, "more than one"),
        ("{} " + GOOD, "more than one"),
        (GOOD.replace('"need_grade": 2', '"need_grade": NaN'), "NaN"),
        (GOOD.replace('"need_grade": 2', '"need_grade": Infinity'), "NaN"),
        (GOOD.replace('"need_grade": 2', '"need_grade": 1e400'), "schema"),
        (GOOD.replace('"need_grade": 2', '"need_grade": "2"'), "schema"),
        (GOOD.replace('"need_grade": 2', '"need_grade": true'), "schema"),
        (GOOD.replace('"need_grade": 2', '"need_grade": 2.5'), "schema"),
        (GOOD.replace('"need_grade": 2', '"need_grade": null'), "schema"),
        (GOOD.replace('"need_grade": 2', '"need_grade": 4'), "grade"),
        (GOOD.replace('"need_grade": 2', '"need_grade": -1'), "grade"),
        (GOOD.replace('"need_grade": 2', '"need_grade": 2, "need_grade": 0'), "twice"),
        (GOOD.replace('"need_grade": 2', '"need_grade": ' + "9" * 5_000), "schema"),
        (an_answer(graded("p1")), "exactly once"),
        (an_answer(graded("p1"), graded("p1")), "exactly once"),
        (an_answer(graded("p1"), graded("p2"), graded("p2")), "exactly once"),
        (an_answer(graded("p1"), graded("p2"), graded("p3")), "exactly once"),
        (an_answer(graded("p1"), graded("P2")), "exactly once"),
        (json.dumps({"need": "n", "passages": [graded("p1"), graded("p2")]}), "schema"),
        ('{"passages": ' * 2_000, "schema"),
        (GOOD + " " * 200_000, "too long"),
    ],
)
def test_anything_else_is_no_verdict(text: str, reason: str) -> None:
    """What is broken, doubled, out of range or about other passages is malformed, with a reason of our own words."""
    found = read_answer(text, ASKED)

    assert isinstance(found, Malformed)
    assert reason in found.reason


@pytest.mark.property
@given(st.text(), st.text(), st.lists(st.sampled_from(["p1", "p2", "p3", ""]), max_size=4))
def test_any_text_around_and_any_ids_give_a_verdict_or_a_reason(before: str, after: str, ids: list[str]) -> None:
    """Whatever is answered, grades come only with exactly the ids that were asked about."""
    found = read_answer(before + an_answer(*[graded(one) for one in ids]) + after, ASKED)

    if isinstance(found, Answer):
        assert sorted(passage.id for passage in found.passages) == list(ASKED)


@pytest.mark.parametrize(
    ("text", "evidence", "founded"),
    [
        ("The Team plan\nincludes  SSO.", "team plan includes SSO", True),
        ("L\u2019abonnement comprend l\u2019acc\u00e8s.", "l'abonnement comprend l'acce\u0300s", True),
        ("It is \u201cfree\u201d \u2014 for now.", '"free" - for now', True),
        ("Zero\u200bwidth text", "zerowidth", True),
        ("The Team plan includes SSO.", '"...Team plan includes SSO..."', True),
        ("The Team plan includes SSO.", "The Free plan includes SSO", False),
        ("The Team plan includes SSO.", "Team plan ... SSO", False),
        ("The Team plan includes SSO.", "", False),
        ("The Team plan includes SSO. (!)", "!", False),
    ],
)
def test_evidence_must_be_in_the_passage(text: str, evidence: str, founded: bool) -> None:
    """A quotation counts whatever its case, spaces and quotation marks; a paraphrase, a gap or nothing does not."""
    answer = answer_of(Graded(id="p1", evidence=evidence, query_grade=2, need_grade=0))

    assert (unfounded(answer, {"p1": text}) == frozenset()) is founded


def test_evidence_from_a_neighbour_does_not_count() -> None:
    """Words of another passage lift nothing; below grade 2 no evidence is asked for."""
    useful = Graded(id="p1", evidence="Team plan", query_grade=0, need_grade=3)
    useless = Graded(id="p2", evidence="", query_grade=1, need_grade=1)

    assert unfounded(answer_of(useful, useless), {"p1": "Bread.", "p2": "Team plan."}) == {"p1"}


def answer_of(*passages: Graded) -> Answer:
    """Return a verdict on passages."""
    return Answer(need="n", needs_retrieval=True, passages=passages, sufficient=False)


def test_half_a_character_is_replaced() -> None:
    """JSON can spell what is no text and cannot be stored."""
    found = read_answer(an_answer(graded("p1", evidence="\udc80"), graded("p2"), need="half a \ud83d"), ASKED)

    assert isinstance(found, Answer)
    assert (found.need, found.passages[0].evidence) == ("half a ?", "?")
