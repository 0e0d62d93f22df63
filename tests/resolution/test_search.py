"""The switch decides how far the gate is obeyed, conversation by conversation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.resolution.gate import Decision, resolve
from pipelines.resolution.search import resolve_for
from pipelines.tenants import GateMode, TenantConfiguration, read_gate
from tests.resolution.gate.conversation import said

TENANT = "help.example.com"
HISTORY = said("Which plans include SSO?", "Team and Pro.")
FOLLOW_UP = "And does it include audit logs?"
CONVERSATIONS = st.text(min_size=1, max_size=12)


def _with(gate: str, tenant: str = TENANT) -> TenantConfiguration:
    return TenantConfiguration(tenant=tenant, version=1, gate=read_gate(gate))


def _searched(gate: str, conversation: str, message: str = FOLLOW_UP) -> str | None:
    return resolve_for(_with(gate), conversation, message, HISTORY).query


def test_off_is_as_typed_and_nothing_is_recorded() -> None:
    """The gate is not asked; so it is for a tenant for whom nothing was ever set."""
    for configuration in (_with("off"), TenantConfiguration(tenant=TENANT)):
        search = resolve_for(configuration, "c-1", FOLLOW_UP, HISTORY)

        assert (search.query, search.decision, search.mode) == (FOLLOW_UP, None, GateMode.OFF)
        assert search.resolution == "as_typed"


def test_shadow_is_as_typed_and_the_decision_is_recorded() -> None:
    """What would have been searched is in the record, what is searched is the message."""
    search = resolve_for(_with("shadow"), "c-1", FOLLOW_UP, HISTORY)

    assert (search.query, search.resolution) == (FOLLOW_UP, "as_typed")
    assert search.decision == resolve(FOLLOW_UP, HISTORY)
    assert search.decision.decision is Decision.FOLLOW_UP


def test_on_is_what_the_gate_says() -> None:
    """A follow-up is combined, and recorded as that; what is not combined is as typed."""
    combined = resolve_for(_with("on"), "c-1", FOLLOW_UP, HISTORY)
    alone = resolve_for(_with("on"), "c-1", "We tried that one already.", HISTORY)

    assert (combined.query, combined.resolution) == (f"Which plans include SSO? {FOLLOW_UP}", "combined")
    assert (alone.query, alone.resolution) == ("We tried that one already.", "as_typed")


@pytest.mark.parametrize("gate", ["off", "shadow", "on", "0%", "50%", "100%"])
def test_a_short_message_is_searched_in_no_position(gate: str) -> None:
    """The skip comes before the switch, and is recorded as what it is."""
    search = resolve_for(_with(gate), "c-1", "Why?", HISTORY)

    assert search.query is None
    assert search.decision is not None
    assert (search.decision.decision, search.decision.reason) == (Decision.SKIP, "too_short")


@pytest.mark.property
@given(conversation=CONVERSATIONS, shares=st.tuples(st.integers(0, 100), st.integers(0, 100)))
def test_raising_the_share_only_adds_conversations(conversation: str, shares: tuple[int, int]) -> None:
    """A conversation whose follow-up is combined at a share is combined at every larger one; the ends are shadow and on."""
    small, large = sorted(shares)
    combined = {share for share in (small, large) if _searched(f"{share}%", conversation) != FOLLOW_UP}

    assert combined in (set(), {large}, {small, large})
    assert _searched("0%", conversation) == _searched("shadow", conversation)
    assert _searched("100%", conversation) == _searched("on", conversation)


@pytest.mark.property
@given(conversation=CONVERSATIONS, messages=st.lists(st.text(min_size=1, max_size=40), max_size=4))
def test_a_conversation_stays_on_its_side(conversation: str, messages: list[str]) -> None:
    """Whatever is said in it: all of a conversation is resolved, or nothing of it."""
    modes = {resolve_for(_with("50%"), conversation, message, HISTORY).mode for message in ["", *messages]}

    assert modes in ({GateMode.ON}, {GateMode.SHADOW})


@pytest.mark.property
@given(message=st.text(max_size=60), gate=st.sampled_from(["off", "shadow", "on", "30%"]), conversation=CONVERSATIONS)
def test_the_message_is_never_changed(message: str, gate: str, conversation: str) -> None:
    """A query ends with the message, byte for byte, in every position."""
    search = resolve_for(_with(gate), conversation, message, HISTORY)

    assert search.query is None or search.query.endswith(message)
    assert (search.query is None) == (resolve(message, HISTORY).query is None)


def test_a_share_is_about_that_share() -> None:
    """Of a thousand conversations 250, give or take four standard deviations; other tenants' are other ones."""
    names = [f"c-{number}" for number in range(1_000)]
    there = [_searched("25%", name) != FOLLOW_UP for name in names]
    elsewhere = [
        resolve_for(_with("25%", "other.example.com"), name, FOLLOW_UP, HISTORY).query != FOLLOW_UP for name in names
    ]

    assert 195 < sum(there) < 305
    assert 195 < sum(elsewhere) < 305
    assert there != elsewhere
