"""Which slices a leaf is part of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.alerts.slices import ANY, Leaf, Slice, slices_of

leaf_strategy = st.builds(
    Leaf,
    st.sampled_from(["a.example", "b.example"]),
    st.sampled_from(["document", "conversation", "mixed"]),
    st.sampled_from(["first", "later_as_typed", "combined", "unknown"]),
)


def test_a_fleet_has_eighteen_slices_a_tenant_and_eighteen_for_all() -> None:
    """Thirty tenants with two kinds and three positions are watched in 558 slices."""
    leaves = [
        Leaf(f"t{i}.example", kind, position)
        for i in range(30)
        for kind in ("document", "conversation")
        for position in ("first", "later_as_typed", "combined")
    ]

    slices = {each for leaf in leaves for each in slices_of(leaf)}

    assert len(slices) == 31 * 18
    shares = [each.share_of for each in slices]
    assert (shares.count("fleet"), shares.count("tenant_kind"), shares.count("rest")) == (18, 60, 480)


def test_a_leaf_is_in_slices_by_turn_and_by_resolution() -> None:
    """A later turn as typed is both later and as typed."""
    cells = {each.cell for each in slices_of(Leaf("a.example", "document", "later_as_typed"))}

    assert cells == {"later_as_typed", "as_typed", "later", ANY}


def test_a_turn_that_is_not_known_counts_for_all_turns_alone() -> None:
    """Neither first nor later."""
    assert {each.cell for each in slices_of(Leaf("a.example", "document", "unknown"))} == {ANY}


@pytest.mark.property
@given(leaf_strategy, leaf_strategy)
def test_a_slice_within_another_has_no_leaf_that_the_other_lacks(one: Leaf, other: Leaf) -> None:
    """`within` is inclusion of leaves."""
    for narrow in slices_of(one):
        for wide in slices_of(other):
            if narrow.within(wide):
                assert wide.holds(one)
                assert wide.holds(other)
        assert narrow.within(narrow)


def test_slices_are_said_in_words() -> None:
    """For people."""
    assert str(Slice("a.example", "document", "later_as_typed")) == "a.example, document, later as typed"
    assert str(Slice(ANY, ANY, ANY)) == "all tenants, all kinds, all turns"


def test_a_mixed_retrieval_is_seen_once_in_every_slice() -> None:
    """As a whole among all kinds, by its documents among documents."""
    whole = slices_of(Leaf("a.example", "mixed", "first"))
    documents = slices_of(Leaf("a.example", "mixed:document", "first"))

    assert {each.kind for each in whole} == {ANY}
    assert {each.kind for each in documents} == {"document"}
    assert not set(whole) & set(documents)
