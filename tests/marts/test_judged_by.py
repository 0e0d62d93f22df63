"""Whose word a figure is."""

import polars as pl
import pytest

from pipelines.marts.judged_by import JudgedBy, judged_by


def rows(*judges: tuple[str, str, str]) -> pl.DataFrame:
    """Return rows of a mart by these judges."""
    return pl.DataFrame(list(judges), schema=["judge", "model", "rubric_version"], orient="row")


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        (("openai", "m-2026-01-01", "r1"), "by openai (m-2026-01-01, rubric r1)"),
        (("lexical", "word-overlap", "lexical-v1"), "by the lexical judge (shared words, not relevance)"),
        (("several", "several", "several"), "by several judges"),
        (("openai", "several", "r1"), "by openai (several, rubric r1)"),
    ],
)
def test_a_judge_is_named_with_what_makes_it(judge: tuple[str, str, str], said: str) -> None:
    """The lexical one with what it cannot know, wherever a rate of it stands."""
    found = judged_by(rows(judge, judge))

    assert str(found) == said
    assert found is not None
    assert (found.caveat is not None) == (judge[0] == "lexical")


def test_rows_of_two_judges_are_of_several() -> None:
    """What they have in common stays."""
    found = judged_by(rows(("openai", "m1", "r1"), ("openai", "m2", "r1")))

    assert found == JudgedBy(judge="openai", model="several", rubric_version="r1")


def test_no_judge_stands_behind_a_count() -> None:
    """Nor behind nothing."""
    assert judged_by(pl.DataFrame({"n": [1]})) is None
    assert judged_by(rows()) is None
