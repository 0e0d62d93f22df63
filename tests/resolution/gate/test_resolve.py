"""What is searched, and with what a follow-up is combined."""

import pytest

from pipelines.resolution.gate import Decision, Turn, resolve
from tests.resolution.gate.conversation import said


@pytest.mark.parametrize(
    "message", ["What about the second one?", "Can you tell me more?", "Yes, go with the second one."]
)
def test_a_first_message_is_searched_as_typed(message: str) -> None:
    """There is nothing to resolve a first message from, even after a greeting of the assistant's."""
    greeted = [Turn(role="assistant", text="Hello! Would you like an example?")]

    for history in ([], greeted):
        resolution = resolve(message, history)

        assert (Decision.SUBSTANTIVE, "first_message", message) == (
            resolution.decision,
            resolution.reason,
            resolution.query,
        )


def test_a_follow_up_is_the_last_substantive_message_and_itself() -> None:
    """Messages between that are follow-ups, corrections, skips or need nothing are passed over."""
    history = said(
        "Which plans include SSO?", "Team.", "What about the Free plan?", "No.", "We tried that one already."
    )
    history += [Turn(role="user", text=text) for text in ("Ok", "Thanks a lot!", "https://example.com/plans")]

    resolution = resolve("Yes, go with the second one.", history)

    assert resolution.combined_with == 0
    assert resolution.query == "Which plans include SSO? Yes, go with the second one."


def test_the_decisions_of_the_history_are_believed() -> None:
    """A decision that was kept is not made anew."""
    history = [
        Turn(role="user", text="Which plans include SSO?", decision=Decision.SUBSTANTIVE),
        Turn(role="user", text="Where is your office in Berlin?", decision=Decision.FOLLOW_UP),
    ]

    assert resolve("Can you tell me more?", history).combined_with == 0


def test_a_follow_up_without_anything_to_follow_is_searched_as_typed() -> None:
    """Where no earlier message is substantive, nothing is combined."""
    resolution = resolve("Can you tell me more?", said("Hello there, good morning!", "Hello."))

    assert (
        resolution.decision,
        resolution.query,
        resolution.combined_with,
    ) == (Decision.FOLLOW_UP, "Can you tell me more?", None)


def test_the_message_that_is_combined_with_keeps_its_bytes() -> None:
    """White space and odd characters of both messages stay."""
    first, second = " Which  plans\tinclude SSO?\n", " and what about it?  "

    assert f"{first} {second}" == resolve(second, said(first, "Team.")).query


@pytest.mark.parametrize(
    "message",
    ["ok", "Why?", "", "   \n", "yes please", "\u200b" * 20, "👩‍👩‍👧‍👦" * 9, "e\u0301" * 9, "\r\n" * 30, " a\u0308bc "],
)
def test_fewer_than_ten_characters_are_skipped(message: str) -> None:
    """Characters are what a person sees, after trimming; "yes please" has ten and is none of them."""
    expected = Decision.FOLLOW_UP if message == "yes please" else Decision.SKIP

    resolution = resolve(message, said("Which plans include SSO?", "Team and Pro."))

    assert expected is resolution.decision
    assert (resolution.query is None) == (expected is Decision.SKIP)


def test_the_skip_comes_before_everything() -> None:
    """A short address or correction is skipped, too."""
    assert [resolve(text).decision for text in ("a@b.io", "tried it", "👍👍👍")] == [Decision.SKIP] * 3


@pytest.mark.parametrize(
    ("message", "texts", "language"),
    [
        ("Le plan Pro, svp", ("Which plans include SSO?", "Team."), "fr"),
        ("Pro plan 2024 XYZ", ("Quels forfaits incluent le SSO ?", "Équipe."), "fr"),
        ("SSO SAML SCIM", ("¿Qué planes incluyen SSO?", "Equipo."), "es"),
        ("SSO SAML SCIM", (), "en"),
    ],
)
def test_the_language_is_the_messages_or_the_conversations(message: str, texts: tuple[str, ...], language: str) -> None:
    """A message without a word of any language has the language of the conversation."""
    assert language == resolve(message, said(*texts)).language


def test_an_unknown_default_language_changes_no_decision() -> None:
    """A language that the gate has no words of is read with the default vocabulary and reported as it was given."""
    resolution = resolve("SSO SAML SCIM", default_language="de")

    assert (resolution.language, resolution.decision) == ("de", Decision.SUBSTANTIVE)
