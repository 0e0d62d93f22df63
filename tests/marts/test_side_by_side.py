"""Marts of rates, a line a slice."""

from typing import Any

import polars as pl

from pipelines.marts.side_by_side import side_by_side


def rate(measure: str, share: float | None = 0.25, **given: Any) -> dict[str, Any]:
    """Return a row of relevance_daily."""
    interval = {"low": None, "high": None} if share is None else {"low": share / 2, "high": share * 2}
    row = {
        "environment": "production",
        "tenant": "*",
        "slice": "all",
        "value": "all",
        "measure": measure,
        "rate": share,
    }
    return row | interval | {"passages": 1234, "coverage": 0.9, "best": 0.2, "worst": 0.35} | given


def test_the_rates_of_a_slice_stand_on_one_line() -> None:
    """The whole first under its tenant's name, then its slices, each with what it counts and the coverage."""
    of_kind: dict[str, Any] = {"slice": "kind", "value": "document"}
    rows = [rate("irrelevant_need"), rate("irrelevant_query", 0.5)]
    rows += [rate("irrelevant_need", 0.1, **of_kind), rate("irrelevant_query", **of_kind)]

    lines = side_by_side("relevance_daily", pl.DataFrame(rows), width=120)

    assert lines is not None
    assert lines.heads == ("", "irrelevant to need", "irrelevant to query", "passages", "coverage")
    assert lines.rows == (
        ("all tenants", "25.0% (12.5–50.0)", "50.0% (25.0–100.0)", "1,234", "90.0%"),
        ("· document", "10.0% (5.0–20.0)", "25.0% (12.5–50.0)", "1,234", "90.0%"),
    )


def test_on_a_narrow_line_the_interval_stands_below() -> None:
    """Nothing is cut."""
    lines = side_by_side("relevance_daily", pl.DataFrame([rate("irrelevant_need")]), width=80)

    assert lines is not None
    assert lines.rows[0][1] == "25.0%\n12.5–50.0"


def test_an_incomplete_night_shows_its_bounds_and_a_question_mark() -> None:
    """A rate that is not known is not made up."""
    lines = side_by_side("relevance_daily", pl.DataFrame([rate("irrelevant_need", None)]), width=120)

    assert lines is not None
    assert lines.rows[0][1] == "20.0% to 35.0%?"


def test_environments_are_kept_apart() -> None:
    """The same tenant in two of them has two lines, which say whose they are."""
    rows = [rate("irrelevant_need"), rate("irrelevant_need", 0.5, environment="staging")]

    lines = side_by_side("relevance_daily", pl.DataFrame(rows), width=120)

    assert lines is not None
    assert [line[:2] for line in lines.rows] == [
        ("all tenants (production)", "25.0% (12.5–50.0)"),
        ("all tenants (staging)", "50.0% (25.0–100.0)"),
    ]


def test_a_mart_of_counts_is_left_as_it_is() -> None:
    """There is nothing to put beside each other."""
    assert side_by_side("loss_daily", pl.DataFrame(), width=80) is None
