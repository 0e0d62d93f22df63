"""What is forgotten of a conversation changes no decision."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.resolution.gate import Decision, Limits, Turn, resolve
from pipelines.resolution.replay import Conversation
from tests.resolution.gate.minimal_pairs import CONVERSATIONS, PAIRS

MESSAGES = [
    *sorted({text for pairs in PAIRS.values() for pair in pairs for text in pair}),
    *(text for texts in CONVERSATIONS.values() for text in texts),
    *("Why?", "", "ok", "Thanks, bye!"),
]
SPOKEN = st.lists(st.tuples(st.sampled_from(MESSAGES), st.none() | st.sampled_from(MESSAGES)), max_size=60)


@pytest.mark.property
@given(spoken=SPOKEN)
def test_each_turn_is_decided_as_by_the_whole_conversation(spoken: list[tuple[str, str | None]]) -> None:
    """The gate over all that was said before, and the replay that keeps a part of it, say the same."""
    conversation = Conversation()
    history: list[Turn] = []
    places: list[str] = []
    for place, (message, answer) in enumerate(spoken):
        replay = conversation.take(f"t{place}", message, answer, language=None)
        whole = resolve(message, history)

        assert (replay.resolution.decision, replay.resolution.reason) == (whole.decision, whole.reason)
        assert (replay.resolution.query, replay.resolution.language) == (whole.query, whole.language)
        assert replay.combined_with == (None if whole.combined_with is None else places[whole.combined_with])
        unskipped = resolve(message, history, limits=Limits(skips=False))
        assert (replay.would_be.decision, replay.would_be.query) == (unskipped.decision, unskipped.query)

        history.append(Turn(role="user", text=message, decision=whole.decision))
        places.append(f"t{place}")
        if answer:
            history.append(Turn(role="assistant", text=answer))
            places.append(f"t{place}")


def test_a_long_conversation_is_not_kept() -> None:
    """A turn costs the same after ten thousand turns, and the last substantive message is still there."""
    conversation = Conversation()
    conversation.take("t0", "Which plans include SSO?", "Team and Pro.", language="en")
    for place in range(1, 2_000):
        conversation.take(f"t{place}", "Yes, go with the second one.", "Done.", language="en")

    last = conversation.take("end", "And does it include audit logs?", None, language="en")

    assert last.combined_with == "t0"
    assert len(conversation._history) < 50


def test_what_the_skip_costs_is_told_beside_the_skip() -> None:
    """A short message is skipped, and what it would be without the skip is kept beside."""
    conversation = Conversation()
    conversation.take("t0", "Which plans include SSO?", "Team and Pro.", language="en")

    replay = conversation.take("t1", "Why?", None, language="en")

    assert (replay.resolution.decision, replay.resolution.query) == (Decision.SKIP, None)
    assert replay.would_be.decision is Decision.FOLLOW_UP
    assert replay.combined_with is None


def test_the_stated_language_counts_where_the_words_show_none() -> None:
    """A region is no part of it; an unknown language is read like the default one."""
    assert Conversation().take("t0", "SSO SAML 2.0?", None, language="fr-CA").resolution.language == "fr"
    assert Conversation().take("t0", "SSO SAML 2.0?", None, language=None).resolution.language == "en"
