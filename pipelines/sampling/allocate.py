"""How many retrievals of each stratum are drawn."""

from collections.abc import Sequence

import polars as pl

#: what every stratum gets before the rest is shared out
FLOOR = 5
#: what every stratum gets even where the cap is too small: one drawn retrieval says nothing about spread
LEAST = 2


def allocate(frame_sizes: Sequence[int], *, cap: int | None, floor: int = FLOOR) -> list[int]:
    """Share `cap` retrievals out over the strata of one tenant; without a cap all are drawn (a census).

    Each stratum gets `floor` (or all it has), the rest goes in proportion to what is left, by largest remainder, ties
    to the earlier stratum. Where the floors alone exceed the cap they are lowered together, but not below two: a
    stratum that is not drawn from would be missing from the estimate. So a cap below twice the strata may be exceeded.
    """
    if cap is None or cap >= sum(frame_sizes):
        return list(frame_sizes)
    while floor > LEAST and sum(min(size, floor) for size in frame_sizes) > cap:
        floor -= 1
    sizes = [min(size, floor) for size in frame_sizes]
    left = [size - given for size, given in zip(frame_sizes, sizes, strict=True)]
    rest, all_left = cap - sum(sizes), sum(left)
    if rest <= 0 or all_left == 0:
        return sizes
    shares = [divmod(rest * size, all_left) for size in left]
    sizes = [given + share for given, (share, _) in zip(sizes, shares, strict=True)]
    by_remainder = sorted(range(len(shares)), key=lambda i: -shares[i][1])  # stable: ties stay in stratum order
    for i in by_remainder[: cap - sum(sizes)]:
        sizes[i] += 1
    return sizes


def allocate_strata(strata: pl.DataFrame, *, cap: int | None) -> pl.DataFrame:
    """Add `sample_size` to the strata (`environment, tenant, kind, position, frame_size`), tenant by tenant, sorted."""
    strata = strata.sort("environment", "tenant", "kind", "position")
    sizes: list[int] = []
    for _, of_tenant in strata.group_by("environment", "tenant", maintain_order=True):
        sizes.extend(allocate(of_tenant["frame_size"].to_list(), cap=cap))
    return strata.with_columns(pl.Series("sample_size", sizes, dtype=pl.Int64))
