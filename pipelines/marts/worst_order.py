"""In which order the worst retrievals are read, wherever they are shown; pure."""

from collections.abc import Collection

import polars as pl


def worst_first(worst: pl.DataFrame, alarming: Collection[str]) -> pl.DataFrame:
    """Put rows of `worst_retrievals` in order: every tenant's worst before any tenant's second.

    Of those of one place the ones of `alarming` tenants, those with an alert, come first, then the larger share of
    irrelevant passages, then more of them.
    """
    called, share = pl.col("tenant").is_in(list(alarming)), pl.col("irrelevant") / pl.col("judged")
    order = ("place", called, share, "irrelevant", "tenant")
    return worst.sort(*order, descending=[False, True, True, True, False], maintain_order=True)
