"""How many retrievals of each stratum are drawn."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sampling import allocate, allocate_strata


def test_the_reference_allocation_comes_out(reference: dict[str, dict[str, Any]]) -> None:
    """Floor five, the rest in proportion to what is left, by largest remainder."""
    case = reference["allocation"]

    sizes = allocate(case["input"]["N"], cap=case["input"]["cap"], floor=case["input"]["floor"])

    assert sizes == case["expected"]["n"]
    weights = [size / drawn for size, drawn in zip(case["input"]["N"], sizes, strict=True)]
    assert weights == pytest.approx(case["expected"]["weights"], abs=case["abs_tol"])


@pytest.mark.parametrize(
    ("frame_sizes", "cap", "sizes"),
    [
        ([3, 0, 7], None, [3, 0, 7]),  # a census
        ([3, 0, 7], 10, [3, 0, 7]),
        ([100, 100], 11, [6, 5]),  # a tie goes to the earlier stratum
        ([50] * 4, 12, [3, 3, 3, 3]),  # floors are lowered together
        ([50] * 4, 5, [2, 2, 2, 2]),  # but never below two, even where the cap says so
        ([1, 50], 1, [1, 2]),
        ([], 40, []),
    ],
)
def test_edges_of_an_allocation(frame_sizes: list[int], cap: int | None, sizes: list[int]) -> None:
    """Everything is drawn where there is room, and something from everywhere where there is not."""
    assert allocate(frame_sizes, cap=cap) == sizes


@pytest.mark.property
@given(st.lists(st.integers(0, 10_000), max_size=16), st.integers(0, 500))
def test_an_allocation_fits_its_strata_and_its_cap(frame_sizes: list[int], cap: int) -> None:
    """Never more than there are, at least two from each, and the cap exactly where it leaves room."""
    sizes = allocate(frame_sizes, cap=cap)

    assert all(min(size, 2) <= drawn <= size for size, drawn in zip(frame_sizes, sizes, strict=True))
    assert sum(sizes) == max(min(cap, sum(frame_sizes)), sum(min(size, 2) for size in frame_sizes))


def test_each_tenant_has_a_cap_of_its_own() -> None:
    """A large tenant takes nothing from a small one, and the same tenant in staging is another one."""
    strata = pl.DataFrame(
        {
            "environment": ["production", "production", "production", "staging"],
            "tenant": ["b.example", "a.example", "a.example", "a.example"],
            "kind": ["document", "document", "conversation", "document"],
            "position": ["first", "first", "first", "first"],
            "frame_size": [100, 1000, 3, 50],
        }
    )

    allocated = allocate_strata(strata, cap=10)

    assert allocated.select("environment", "tenant", "kind", "sample_size").rows() == [
        ("production", "a.example", "conversation", 3),
        ("production", "a.example", "document", 7),
        ("production", "b.example", "document", 10),
        ("staging", "a.example", "document", 10),
    ]
