"""The key of a verdict: all that a verdict depends on is in it, and nothing else, so that no answer is mistaken or lost."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pipelines.judging.asking import Manner
from pipelines.judging.capabilities import AnswerForm, Capabilities
from pipelines.judging.key import verdict_key
from pipelines.judging.openai import identity_of
from pipelines.judging.verdict import JudgeIdentity, RetrievalToJudge
from tests.judging.build import a_manner, a_retrieval

IDENTITY = JudgeIdentity(judge="openai", model="m-1", rubric_version="1", prompt_hash="h")
RETRIEVAL = a_retrieval(
    "Single sign-on comes with the Team plan.",
    "Knead the dough for ten minutes.",
    query="single sign-on",
    message="And for a team?",
    said=(("visitor", "Which plans are there?"), ("assistant", "Three.")),
)
#: a model that reasons, so that effort counts
MANNER = a_manner(model="gpt-5.4-mini-2026-03-17")


def of_a_passage(**other: Any) -> Callable[[RetrievalToJudge], RetrievalToJudge]:
    """Return what changes something of the first passage."""
    return lambda one: replace(one, passages=(replace(one.passages[0], **other), *one.passages[1:]))


@pytest.mark.parametrize("name", ["judge", "model", "rubric_version", "prompt_hash"])
def test_another_judge_gives_another_key(name: str) -> None:
    """Each part of a judge's identity counts."""
    assert verdict_key(replace(IDENTITY, **{name: "other"}), RETRIEVAL) != verdict_key(IDENTITY, RETRIEVAL)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda one: replace(one, tenant="other.example.com"), id="tenant"),
        pytest.param(lambda one: replace(one, searched_query="sso"), id="searched query"),
        pytest.param(lambda one: replace(one, message="And for two?"), id="message"),
        pytest.param(lambda one: replace(one, conversation=()), id="no conversation"),
        pytest.param(lambda one: replace(one, conversation=one.conversation[::-1]), id="order of the conversation"),
        pytest.param(
            lambda one: replace(one, conversation=tuple(replace(said, role="visitor") for said in one.conversation)),
            id="who said it",
        ),
        pytest.param(
            lambda one: replace(one, conversation=tuple(replace(said, text="Two.") for said in one.conversation)),
            id="what was said",
        ),
        pytest.param(lambda one: replace(one, passages=one.passages[::-1]), id="order of the passages"),
        pytest.param(lambda one: replace(one, passages=one.passages[:1]), id="fewer passages"),
        pytest.param(of_a_passage(text="Another text."), id="text of a passage"),
        pytest.param(of_a_passage(text=None), id="hidden text"),
        pytest.param(of_a_passage(title="A title"), id="title"),
        pytest.param(of_a_passage(kind="graph"), id="kind"),
        pytest.param(of_a_passage(source_date="2026-11-01"), id="date"),
    ],
)
def test_whatever_a_judge_is_told_changes_the_key(change: Callable[[RetrievalToJudge], RetrievalToJudge]) -> None:
    """A verdict on other content is another verdict."""
    assert verdict_key(IDENTITY, change(RETRIEVAL)) != verdict_key(IDENTITY, RETRIEVAL)


@pytest.mark.parametrize(
    ("change", "counts_for_labels"),
    [
        pytest.param(lambda one: replace(one, retrieval_id="r-other"), True, id="retrieval id"),
        pytest.param(of_a_passage(passage_id="d-other"), True, id="passage id"),
        pytest.param(of_a_passage(rank=9), False, id="rank"),
        pytest.param(lambda one: replace(one, stratum="production/as_typed/first"), False, id="stratum"),
    ],
)
def test_what_no_model_sees_changes_no_key(
    change: Callable[[RetrievalToJudge], RetrievalToJudge], *, counts_for_labels: bool
) -> None:
    """The same content found again is known; people's votes alone are about one passage of one retrieval."""
    labels = replace(IDENTITY, judge="labels")

    assert verdict_key(IDENTITY, change(RETRIEVAL)) == verdict_key(IDENTITY, RETRIEVAL)
    assert (verdict_key(labels, change(RETRIEVAL)) != verdict_key(labels, RETRIEVAL)) == counts_for_labels


def hash_of(manner: Manner) -> str:
    """Return the hash of how a model is asked."""
    return identity_of(manner).prompt_hash


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"rubric": replace(MANNER.rubric, digest="other")}, id="rubric"),
        pytest.param({"family": replace(MANNER.family, name="other")}, id="family"),
        pytest.param({"capabilities": replace(MANNER.capabilities, form=AnswerForm.TEXT)}, id="form"),
        pytest.param({"capabilities": replace(MANNER.capabilities, refused=frozenset({"seed"}))}, id="refused"),
        pytest.param({"effort": "none"}, id="effort"),
        pytest.param({"output_limit": 900}, id="output limit"),
    ],
)
def test_another_manner_of_asking_is_another_instrument(other: dict[str, Any]) -> None:
    """Each thing that may change what a model answers is in the hash, and model and rubric stand beside it."""
    assert hash_of(replace(MANNER, **other)) != hash_of(MANNER)
    assert identity_of(MANNER).model == MANNER.model
    assert identity_of(MANNER).rubric_version == MANNER.rubric.version


def test_what_changes_no_answer_is_in_no_hash() -> None:
    """Prices and batches are not, nor the order in which refusals were found, nor effort where a family has none."""
    refused = frozenset({"seed", "temperature"})
    one = replace(MANNER, capabilities=Capabilities(form=AnswerForm.TEXT, refused=refused))
    other = replace(MANNER, capabilities=Capabilities(form=AnswerForm.TEXT, refused=refused, batches=True))
    effortless = a_manner(model="gpt-4.1-2025-04-14")

    assert hash_of(one) == hash_of(other)
    assert hash_of(replace(effortless, effort="none")) == hash_of(effortless)


def test_a_key_means_the_same_in_every_run() -> None:
    """Verdicts that are stored are found again: a change of this value asks everyone's judge anew about everything."""
    assert verdict_key(IDENTITY, RETRIEVAL) == "e3e071bd445e1f8b40a07fad9dcc8f0a98901a93b99c34280eb3bcddef1b6377"
