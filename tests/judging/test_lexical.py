"""The offline judge: what shared words can and cannot tell."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.verdict import RetrievalToJudge, RetrievalVerdict, Status
from tests.judging.build import a_retrieval

SSO = "Single sign-on comes with the Team plan and the Company plan; the Free plan does not include it."
BREAD = "Knead the dough for ten minutes, then leave it under a cloth until it has doubled in size."


def judged(retrievals: Sequence[RetrievalToJudge]) -> list[RetrievalVerdict]:
    """Run the judge over retrievals and return its verdicts."""

    async def run() -> list[RetrievalVerdict]:
        return [verdict async for verdict in LexicalJudge().judge(retrievals)]

    return asyncio.run(run())


def test_a_passage_that_answers_is_graded_above_one_about_something_else() -> None:
    """Shared words make a grade of at least 2; no shared word makes a 0, against the query and the need."""
    [verdict] = judged([a_retrieval(SSO, BREAD)])

    about, other = verdict.passages
    assert about.query_grade is not None
    assert about.query_grade >= 2
    assert (other.query_grade, other.need_grade) == (0, 0)


@pytest.mark.parametrize(
    ("query", "passage"),
    [
        (
            "Comment résilier mon abonnement ?",
            "Pour la résiliation de l\u2019abonnement, les abonnés écrivent au service.",
        ),
        ("¿Cómo cancelo la suscripción?", "Las suscripciones se cancelan desde la página de la cuenta."),
        ("Come posso annullare l'abbonamento?", "Gli abbonamenti si annullano dalla pagina del profilo."),
        ("How do I cancel my subscriptions?", "A subscription is cancelled on the account page."),
    ],
)
def test_inflected_words_meet_in_four_languages(query: str, passage: str) -> None:
    """A plural, a conjugated verb or an accent does not hide that two texts speak of the same thing."""
    [verdict] = judged([a_retrieval(passage, query=query)])

    assert verdict.passages[0].query_grade != 0


def test_a_query_that_drifted_is_told_from_the_need() -> None:
    """A passage that fits what was searched but not what was asked is a fault of the query."""
    drifted = a_retrieval(BREAD, query="kneading dough ten minutes", message="Which plans include single sign-on?")

    [verdict] = judged([drifted])

    [passage] = verdict.passages
    assert passage.query_grade is not None
    assert passage.query_grade > 0
    assert passage.need_grade == 0


def test_an_elliptical_message_takes_its_need_from_the_conversation() -> None:
    """A message such as "And the second?" is about what the visitor asked before."""
    bare = a_retrieval(SSO, query="plan", message="And the second?")
    after = a_retrieval(
        SSO, query="plan", message="And the second?", said=(("visitor", "Which plan has single sign-on?"),)
    )

    without, with_it = judged([bare, after])

    assert (with_it.passages[0].need_grade or 0) > 0
    assert without.passages[0].need_grade != with_it.passages[0].need_grade or with_it.passages[0].need_grade == 3


def test_what_is_empty_or_hidden_is_a_status_and_no_grade() -> None:
    """Empty, blank, hidden and redacted texts have no grade; the rest of the retrieval is judged."""
    [verdict] = judged([a_retrieval("", " \n", None, "__REDACTED__", SSO)])

    assert [p.status for p in verdict.passages] == [
        Status.EMPTY,
        Status.EMPTY,
        Status.REDACTED,
        Status.REDACTED,
        Status.JUDGED,
    ]
    assert all(p.query_grade is None and p.need_grade is None for p in verdict.passages[:4])
    assert verdict.status is Status.JUDGED


def test_a_retrieval_with_nothing_to_judge_has_no_verdict() -> None:
    """A retrieval all of whose passages are hidden is not judged."""
    [verdict] = judged([a_retrieval(None, None)])

    assert verdict.status is Status.REDACTED


@pytest.mark.property
@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=60), st.text(max_size=60))
def test_any_text_gets_the_same_grades_alone_and_among_others(texts: list[str], query: str, message: str) -> None:
    """Whatever is typed or retrieved, grades stay within 0 to 3 and do not depend on what else is judged."""
    retrieval = a_retrieval(*texts, query=query, message=message)

    [alone] = judged([retrieval])
    [_, among] = judged([a_retrieval(SSO, BREAD), retrieval])

    assert alone == among
    for passage in alone.passages:
        assert (passage.status is Status.JUDGED) == (passage.query_grade in {0, 1, 2, 3})
