"""A harvest draws fairly, repeats nothing, and holds no personal data, or there is none."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.experiments.datasets import Split
from pipelines.experiments.datasets.harvest import HarvestRequest, harvest, pseudonym, split_of
from pipelines.privacy import DetectorFailedError, PersonalDataLeftError, find_personal_data, is_reserved
from tests.experiments.datasets.build import KEY, item, question, said, turn

ALL = HarvestRequest(per_tenant_cap=1_000)


def test_every_tenant_is_capped_and_the_rest_is_counted() -> None:
    """A loud tenant gives no more items than the cap; what it had beyond is counted."""
    turns = [turn(number, tenant="loud.example") for number in range(40)]
    turns += [turn(number, tenant="quiet.example") for number in range(40, 43)]

    found = harvest(turns, HarvestRequest(per_tenant_cap=10), key=KEY)

    tenants = [each.tenant for items in found.items.values() for each in items]
    assert tenants.count("loud.example") == 10
    assert tenants.count("quiet.example") == 3
    assert found.left_out == {"over the cap": 30}


@pytest.mark.property
@given(st.integers(0, 2**32))
def test_the_order_of_the_turns_does_not_matter(seed: int) -> None:
    """The same turns in any order give the same set."""
    turns = [turn(number) for number in range(30)]
    shuffled = list(turns)
    random.Random(seed).shuffle(shuffled)
    request = HarvestRequest(per_tenant_cap=12)

    assert harvest(shuffled, request, key=KEY) == harvest(turns, request, key=KEY)


def test_only_turns_with_a_wanted_tag_are_drawn() -> None:
    """Any of the tags is enough."""
    turns = [turn(1, tags=("first", "gate:substantive")), turn(2, tags=("later", "gate:follow_up")), turn(3, tags=())]

    found = harvest(turns, HarvestRequest(per_tenant_cap=9, tags=frozenset({"gate:follow_up", "other"})), key=KEY)

    assert [each.tags for items in found.items.values() for each in items] == [("later", "gate:follow_up")]
    assert found.left_out == {"other tags": 2}


def test_near_duplicates_are_left_out_within_the_set_and_against_earlier_ones() -> None:
    """A question asked again with another letter case or sign, here or in an earlier set, is not drawn."""
    turns = [turn(1), turn(2, message=question(1).upper() + "?!"), turn(3), turn(4)]

    found = harvest(turns, ALL, key=KEY, earlier=[item(3)])

    assert sum(map(len, found.items.values())) == 2
    assert found.left_out == {"near duplicate": 2}


def test_the_same_short_question_about_other_things_is_no_duplicate() -> None:
    """A question such as "Why?" is told by what was said before it."""
    turns = [
        turn(number, message="Why is that so?", turn_index=1, history=said(question(number), "It is."))
        for number in (1, 2)
    ]

    found = harvest(turns, ALL, key=KEY)

    assert sum(map(len, found.items.values())) == 2


def test_a_conversation_is_wholly_in_one_split() -> None:
    """The split hangs on the conversation alone, and about the asked share is held out."""
    request = HarvestRequest(per_tenant_cap=1_000, held_out_share=0.3)

    splits = [split_of("shop.example", f"c-{number}", request) for number in range(2_000)]

    assert 0.26 < splits.count(Split.HELD_OUT) / len(splits) < 0.34
    turns = [turn(1, turn_index=index, message=question(index)) for index in range(6)]
    assert sum(bool(items) for items in harvest(turns, request, key=KEY).items.values()) == 1


def test_addresses_become_synthetic_and_one_person_stays_one_over_the_set() -> None:
    """The same address in two turns and in a history is the same synthetic address, on a reserved host."""
    turns = [
        turn(1, message=f"{question(1)} mary.lowe@corp.io"),
        turn(2, message=question(2), history=said("I am Mary.Lowe@corp.io", "Noted, mary.lowe@corp.io.")),
    ]

    found = harvest(turns, ALL, key=KEY)

    texts = [
        text
        for items in found.items.values()
        for each in items
        for text in (each.message, *(u.text for u in each.history))
    ]
    addresses = [text[s.start : s.end] for text in texts for s in find_personal_data(text)]
    assert len(addresses) == 3
    assert len({address.lower() for address in addresses}) == 1
    assert all(is_reserved(address) for address in addresses)


@pytest.mark.parametrize(
    ("message", "history", "reason"),
    [
        ("I am 14, may I order?", (), "age"),
        ("call me on +44 20 7946 0018", (), "telephone"),
        (question(1), said("my daughter is nine years old", "I see."), "age"),
        (question(1), said("where are you", "Reach us at (212) 555-0147."), "telephone"),
    ],
)
def test_turns_with_ages_or_telephone_numbers_are_left_out(
    message: str, history: tuple[object, ...], reason: str
) -> None:
    """Wherever in the turn or in the conversation before it they stand."""
    found = harvest([turn(1, message=message, history=history), turn(2)], ALL, key=KEY)

    assert sum(map(len, found.items.values())) == 1
    assert found.left_out == {reason: 1}


def test_conversations_are_named_by_pseudonyms() -> None:
    """The name of a conversation in a set tells nothing without the key, and with it can be found again."""
    found = harvest([turn(1, conversation_id="mary.lowe@corp.io")], ALL, key=KEY)

    (each,) = [each for items in found.items.values() for each in items]
    assert each.conversation_id == pseudonym(KEY, "shop.example", "mary.lowe@corp.io")
    assert "lowe" not in each.item_id


def test_a_failing_detector_ends_the_harvest(monkeypatch: pytest.MonkeyPatch) -> None:
    """One text that cannot be looked at is enough."""

    def broken(text: str) -> tuple[()]:
        if "ladders" in text:
            raise RecursionError
        return ()

    monkeypatch.setattr("pipelines.privacy.cleaning.find_personal_data", broken)

    with pytest.raises(DetectorFailedError, match="a detector of personal data failed"):
        harvest([turn(number) for number in range(20)], ALL, key=KEY)


def test_something_personal_left_after_cleaning_ends_the_harvest(monkeypatch: pytest.MonkeyPatch) -> None:
    """If cleaning let something through, the second look finds it and there is no harvest."""
    from pipelines.privacy import Cleaned

    monkeypatch.setattr(
        "pipelines.experiments.datasets.harvest.clean", lambda text, _s, **_w: Cleaned(text=text, replaced=0)
    )

    with pytest.raises(PersonalDataLeftError, match="personal data is left"):
        harvest([turn(1, message="write to mary.lowe@corp.io")], ALL, key=KEY)
