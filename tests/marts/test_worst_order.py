"""In which order the worst retrievals are read."""

import polars as pl

from pipelines.marts.worst_order import worst_first


def test_every_tenants_worst_comes_first_and_alarming_ones_before_others() -> None:
    """Within a place: an alert, then the share, then the number, then the name."""
    worst = pl.DataFrame(
        [
            ("calm.example", 1, 4, 4),
            ("calm.example", 2, 4, 4),
            ("alarming.example", 1, 1, 4),
            ("alarming.example", 2, 1, 4),
            ("another.example", 1, 2, 2),
            ("beside.example", 1, 2, 2),
        ],
        schema=["tenant", "place", "irrelevant", "judged"],
        orient="row",
    )

    assert worst_first(worst, {"alarming.example"}).select("tenant", "place").rows() == [
        ("alarming.example", 1),
        ("calm.example", 1),
        ("another.example", 1),
        ("beside.example", 1),
        ("alarming.example", 2),
        ("calm.example", 2),
    ]
